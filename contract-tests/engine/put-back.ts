// Leaves a wm-mock's clock and registrations as the run has found them: retries to a receiver that is gone, hours ahead, help nobody.
import type { Control } from './control.ts';

/** @returns what puts them back. */
export const putBack = async (control: Control): Promise<() => Promise<void>> => {
  const [clock, known, began] = [await control.clock(), new Set(await idsOf(control)), performance.now()];
  return async () => {
    for (const id of await idsOf(control)) if (!known.has(id)) await control.deleteWebhook(id);
    const passed = clock.mode === 'running' ? performance.now() - began : 0;
    await control.setClock(new Date(Date.parse(clock.now) + passed).toISOString(), clock.mode);
  };
};

const idsOf = async (control: Control): Promise<string[]> => (await control.webhooks()).map(({ id }) => id);
