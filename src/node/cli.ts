#!/usr/bin/env node
// The program: hands its process to `main`.
import module from 'node:module';

// Since 22.8 Node caches compiled code, which saves a sixth of a start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const cliWords = process.argv.slice(2);

/** The mock takes a third of a second to load on a slow machine. */
const printVersion = (): void => {
  const { version } = module.createRequire(import.meta.url)('../../package.json') as { version: string };
  process.stdout.write(`${version}\n`);
};

const runCli = async (): Promise<void> => {
  const { main, processIo } = await import('./main.ts');
  process.exitCode = await main(cliWords, processIo());
  // Exit even if the reader of the output has stopped.
  setTimeout(() => process.exit(), 2000).unref();
};

if (cliWords.length === 1 && /^(-v|--version|version)$/.test(cliWords[0]!)) printVersion();
else await runCli();
