// The load generator's own process: takes one slice at a time over IPC and answers with its numbers.
import { runSlice } from './slice.mjs';

process.on('message', async (slice) => {
  const answer = await runSlice(slice).catch((error) => ({ error: error.message }));
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());
