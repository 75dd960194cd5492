#!/usr/bin/env node
// The program: hands its process to `main`.
import module from 'node:module';

// Since 22.8 Node keeps what it has compiled: that is a sixth of a start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const [{ main }, { processIo }] = await Promise.all([import('./main.ts'), import('./command-line/process-io.ts')]);

process.exitCode = await main(process.argv.slice(2), processIo());
// Whoever does not read what was written keeps nobody alive.
setTimeout(() => process.exit(), 2000).unref();
