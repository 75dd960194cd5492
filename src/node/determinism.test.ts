// Two processes send the same bytes for the same seed and session.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('../test/session.mjs', import.meta.url));

/** Serves demo.yaml by the built command line, frozen, and prints every byte of 300 responses. */
const transcript = async (): Promise<string> => (await run(process.execPath, [SCRIPT], { maxBuffer: 64 * 1024 * 1024 })).stdout;

test('two processes with one seed and the same 300 requests send byte-identical bodies and headers', async () => {
  const [first, second] = [await transcript(), await transcript()];
  expect(first.split('\n').filter((line) => line.startsWith('> '))).toHaveLength(300);
  expect(second).toBe(first);
}, 60_000);
