// What is known against our dependencies (npm audit, at run time and as a whole), and whether each one at run time has its reason.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './tools.mjs';

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [, section = ''] = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n## Run-time dependencies\n');
const reasoned = [...section.split('\n## ')[0].matchAll(/^\| ([^|]+) \| [^|]*\w[^|]* \|$/gm)].flatMap(([, names]) =>
  names.split(', '),
);
const problems = Object.keys(dependencies)
  .filter((name) => !reasoned.includes(name))
  .map((name) => `${name} has no reason in ARCHITECTURE.md`);

for (const [what, flags] of Object.entries({ 'at run time': ['--omit=dev'], 'as a whole': [] })) {
  const { stdout } = run('npm', ['audit', '--json', ...flags], { failing: true });
  const { vulnerabilities, message } = JSON.parse(stdout);
  // A registry that has no audit, or does not respond, is nobody's fault here.
  if (!vulnerabilities) console.log(`NOT AUDITED ${what}: the registry does not say what is known. ${message}`);
  else console.log(`npm audit, ${what}: ${Object.keys(vulnerabilities).length} findings`);
  problems.push(
    ...Object.values(vulnerabilities ?? {}).map(({ name, severity, range }) => `${what}, ${severity}: ${name} ${range}`),
  );
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
