#!/usr/bin/env node
// The program: hands its process to `main`.
import { main } from './main.ts';
import { processIo } from './process-io.ts';

process.exitCode = await main(process.argv.slice(2), processIo());
