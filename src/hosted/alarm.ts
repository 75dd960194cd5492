// The alarm at which the engine wakes a world, even if its process has ended: set when something is due earlier than it goes off.
import type { Storage } from './engine.ts';

export const createAlarm = (storage: Storage) => {
  /** Milliseconds since 1970; undefined until read. */
  let set: number | null | undefined;
  return {
    /** Reads what an earlier process has set. */
    read: async (): Promise<void> => {
      if (set === undefined) set = await storage.getAlarm();
    },
    /** @param at milliseconds since 1970 */
    by: async (at: number): Promise<void> => {
      if (typeof set === 'number' && set <= at) return;
      set = at;
      await storage.setAlarm(at);
    },
    rang: (): void => {
      set = null;
    },
    off: async (): Promise<void> => {
      set = undefined;
      await storage.deleteAlarm();
    },
  };
};
