// What is known against our dependencies (npm audit, at run time and as a whole), and whether each one at run time has its reason.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './tools.mjs';

/** How many packages a user may get by name with this one. */
const MOST_DIRECT = 12;

/**
 * Reads what `npm audit --json` printed.
 * @returns findings, and why nothing could be known: a registry that has no audit, or does not answer, is nobody's fault here
 * @throws when npm failed otherwise, or printed something else
 */
export const readAudit = (text) => {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    throw new Error(`npm audit printed no JSON: ${JSON.stringify(text.slice(0, 200))}`);
  }
  if (report?.vulnerabilities && report.metadata) {
    const findings = Object.values(report.vulnerabilities).map(({ name, severity, range, via }) => {
      const known = via.map((one) => (typeof one === 'string' ? `by way of ${one}` : `${one.title} ${one.url}`));
      return `${severity}: ${name} ${range}: ${known.join('; ')}`;
    });
    const { total } = report.metadata.vulnerabilities;
    if (total !== findings.length) throw new Error(`npm audit counts ${total} vulnerabilities and lists ${findings.length}`);
    return { findings };
  }
  const { statusCode, message, error } = report ?? {};
  const unasked = Number.isInteger(statusCode) || /^request to \S+ failed/.test(message ?? '');
  if (unasked && !error?.code) return { findings: [], unknown: message };
  throw new Error(`npm audit failed: ${error?.summary || message || text.slice(0, 200)}`);
};

/** The packages that ARCHITECTURE.md gives a reason for, with the reason. */
const reasonsOf = (architecture) => {
  const [, section = ''] = /^## Run-time dependencies\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(architecture) ?? [];
  return [...section.matchAll(/^\| ([^|]+) \| ([^|]*) \|$/gm)]
    .slice(1)
    .flatMap(([, names, reason]) => names.split(', ').map((name) => [name.trim(), reason.trim()]));
};

/** @returns what is wrong with the direct dependencies at run time */
export const unreasoned = ({ dependencies }, architecture) => {
  const names = Object.keys(dependencies);
  const reasons = new Map(reasonsOf(architecture));
  return [
    ...(names.length > MOST_DIRECT ? [`${names.length} direct run-time dependencies; at most ${MOST_DIRECT} are allowed`] : []),
    ...names.filter((name) => !reasons.get(name)).map((name) => `${name} has no reason in ARCHITECTURE.md`),
    ...[...reasons.keys()].filter((name) => !names.includes(name)).map((name) => `ARCHITECTURE.md names ${name}, no dependency`),
  ];
};

const npmAudit = (...flags) => {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', ...flags], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error) throw error;
  return readAudit(stdout);
};

const audit = () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const problems = unreasoned(manifest, readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));
  console.log(
    `direct run-time dependencies: ${Object.keys(manifest.dependencies).length}, at most ${MOST_DIRECT}, each with its reason`,
  );
  for (const [what, flags] of Object.entries({ 'at run time': ['--omit=dev'], 'as a whole': [] })) {
    const { findings, unknown } = npmAudit(...flags);
    problems.push(...findings.map((finding) => `${what}: ${finding}`));
    if (unknown) console.log(`NOT AUDITED ${what}: the registry does not say what is known. ${unknown}`);
    else console.log(`npm audit, ${what}: ${findings.length} findings`);
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
};

if (process.argv[1] === import.meta.filename) audit();
