// The measurements that need no server of their own: each is a script of inside/, run alone, that prints JSON.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tasksIn, writeGeneratedSeed } from './seeds.mjs';
import { here } from './targets.mjs';

const ROOT = here('..');

async function ask(script, args, flags = []) {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, here(`inside/${script}.mjs`), ...args], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** `forks` and `engine` are the sizes to fork and to query; without `suiteRounds` what no gate judges is left out. */
export async function measureInside({ folder, forks, worlds, engine, engineMs, rounds, suiteRounds, mutants, say }) {
  const seed = (size) => writeGeneratedSeed(folder, size);
  const bySize = async (sizes, act) => {
    const found = {};
    for (const size of sizes) found[size] = await act(size);
    return found;
  };
  const found = {};
  found.forks = await bySize(forks, (size) => {
    say(`forking a world of ${size} tasks`);
    return ask('forks', [seed(size), String(worlds)], ['--expose-gc']);
  });
  found.engine = await bySize(engine, (size) => {
    say(`asking a store of ${size} tasks`);
    return ask('engine', [seed(size), String(engineMs)], ['--expose-gc']);
  });
  say('calling in process and over a socket');
  found.calls = await ask('calls', [seed('10k'), String(rounds)]);
  say('asking for pages in process');
  found.pages = await ask('pages', [seed('100k'), String(tasksIn('100k')), String(rounds)]);
  say('asking for every page of the dashboard');
  found.dashboard = await ask('dashboard', [String(rounds), '15']);
  if (!suiteRounds) return found;
  say('switching parts off and on');
  found.features = await ask('features', [seed('10k'), String(rounds)]);
  say('running the contract suite');
  found.suite = await ask('suite', [String(suiteRounds), String(mutants)]);
  return found;
}
