// Starts a run in a process of its own, which a test kills halfway.
import process from 'node:process';
import { runContract } from '../../dist/contract-tests/run.js';

const [baseUrl, keys] = process.argv.slice(2);
await runContract({ baseUrl, keys: JSON.parse(keys), reportDir: false });
