// `wm-mock init`: writes a starter seed, the files of a service worker, or the configuration of hosted worlds.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { copyWorker, readText, writeNew } from '../files/files.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';

const SCHEMA = 'node_modules/wm-mock/openapi/seed.schema.json';

/** The path from a seed to the schema of the installed package, which may lie in a folder above. */
const pathToSchema = (folder: string): string => {
  const above = (from: string): string | undefined =>
    existsSync(join(from, SCHEMA)) ? from : dirname(from) === from ? undefined : above(dirname(from));
  const path = relative(folder, join(above(folder) ?? folder, SCHEMA)).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
};

export const initFiles = async (args: CommandLine, io: Io): Promise<number> => {
  const { rest, flags } = args;
  if (flags['service-worker']) {
    const written = await copyWorker(rest[0] ?? 'public', io.cwd);
    io.out(`wrote ${written.join(', ')}. In the page: import { register } from './wm-mock-register.js'; await register();\n`);
    return 0;
  }
  if (flags.hosted) return (await import('../hosted/hosted.ts')).initHosted(args, io);
  const [path = 'wm-mock.yaml'] = rest;
  if (path.endsWith('.json')) throw new UsageError(`init: writes YAML, with comments. Name the file ${path.slice(0, -4)}yaml.`);
  const starter = await readText('fixtures/starter.yaml', 'starter', PACKAGE_FOLDER);
  const text = starter.replace(`./${SCHEMA}`, pathToSchema(dirname(resolve(io.cwd, path))));
  const written = await writeNew(path, text, io.cwd, flags.force === true);
  io.out(`wrote ${written}. Serve it: npx wm-mock --seed ${written}\n`);
  return 0;
};
