#!/usr/bin/env node
// The program: hands its process to `main`.
import { main } from './main.ts';
import { processIo } from './process-io.ts';

process.exitCode = await main(process.argv.slice(2), processIo());
// Whoever does not read what was written keeps nobody alive.
setTimeout(() => process.exit(), 2000).unref();
