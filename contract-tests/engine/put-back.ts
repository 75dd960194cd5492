// Leaves a wm-mock's clock and registrations as the run has found them: later retries would reach no receiver.
import type { Control } from './control.ts';

/** @param run what is in every URL that the run registers: others may run at the same time @returns what puts them back. */
export const putBack = async (control: Control, run: string): Promise<() => Promise<void>> => {
  const [clock, began] = [await control.clock(), performance.now()];
  return async () => {
    for (const { id, url } of await control.webhooks()) if (url.includes(run)) await control.deleteWebhook(id);
    const passed = clock.mode === 'running' ? performance.now() - began : 0;
    await control.setClock(new Date(Date.parse(clock.now) + passed).toISOString(), clock.mode);
  };
};
