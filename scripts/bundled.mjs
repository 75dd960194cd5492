// Part of the build: the packages whose code the package carries, their licences, and a bill of materials. No notice is written by hand.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Packages whose code is in the bundle: a start would open each of their files (docs/decisions/0007). They are in devDependencies. */
export const BUNDLED = ['@hono/node-server', 'hono', 'ipaddr.js', 'yaml'];
/** What the service worker, which can open no package, has a copy of beside that: it is listed all the same, for Node. */
export const IN_WORKER = ['@faker-js/faker'];
/** The package of which a file is copied as it is. */
export const COPIED = '@scalar/fastify-api-reference';
/** Packages whose code is in the script of the dashboard, which is generated into a string. */
export const IN_SCRIPT = ['idiomorph'];

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @param output what rolldown has made @returns the packages of which it holds code @throws Error when it holds that of another */
export const checkBundled = (output, allowed = BUNDLED) => {
  const ids = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const named = ids.flatMap((id) => /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id)?.[1] ?? []);
  const names = new Set(named.map((name) => name.replace('\\', '/')));
  const strange = [...names].filter((name) => !allowed.includes(name));
  if (strange.length > 0)
    throw new Error(`the bundle holds ${strange.join(', ')}: name them in scripts/bundled.mjs, or leave them out`);
  return names;
};

const licenceOf = (name) => {
  const folder = `node_modules/${name}`;
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.|$)/i.test(one));
  if (!file) throw new Error(`${name} has no licence file: what is bundled must be allowed to be, and say so`);
  const { version, license } = json(`${folder}/package.json`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
};

/** The licence of each package whose code is in dist. */
export const writeNotices = (to) => {
  const head = 'wm-mock carries code of the packages below, each under its own licence.\n';
  writeFileSync(to, [head, ...[...BUNDLED, ...IN_WORKER, COPIED, ...IN_SCRIPT].map(licenceOf)].join(`\n${'-'.repeat(80)}\n\n`));
};

/** What an installation of the package brings, and what is in it already, as CycloneDX 1.5: the same bytes for the same package-lock.json. */
export const writeBill = (to) => {
  const { name, version, license, dependencies } = json('package.json');
  const { packages } = json('package-lock.json');
  const carried = [...BUNDLED, COPIED, ...IN_SCRIPT];
  const direct = [...Object.keys(dependencies), ...carried];
  // What is carried is one file: what it was made of is in it.
  const needs = (one) => (carried.includes(one) ? [] : Object.keys(packages[`node_modules/${one}`].dependencies ?? {}));
  const names = new Set(direct);
  for (const one of names) for (const next of needs(one)) names.add(next);
  const purl = (one, at = packages[`node_modules/${one}`].version) => `pkg:npm/${one.replace('@', '%40')}@${at}`;
  const described = (one, at, licence) => ({
    type: 'library',
    'bom-ref': purl(one, at),
    name: one,
    version: at,
    licenses: [{ license: { id: licence } }],
    purl: purl(one, at),
  });
  const sorted = [...names].sort();
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: described(name, version, license) },
    components: sorted.map((one) => {
      const { version: at, license: licence } = packages[`node_modules/${one}`];
      const shipped = carried.includes(one) ? 'carried in this package' : 'installed beside it';
      return { ...described(one, at, licence), properties: [{ name: 'wm-mock:shipped', value: shipped }] };
    }),
    dependencies: [
      { ref: purl(name, version), dependsOn: direct.map((one) => purl(one)).sort() },
      ...sorted.map((one) => ({ ref: purl(one), dependsOn: needs(one).map((next) => purl(next)) })),
    ],
  };
  writeFileSync(to, JSON.stringify(bill));
};

/** The suite is not bundled; for YAML it goes to what is. */
export const lendYaml = (to, chunk) => {
  if (!existsSync(to)) throw new Error(`${to} is not there: the suite's door to YAML has another name`);
  writeFileSync(to, `export { Lexer, Parser, parse, stringify } from '${chunk}';\n`);
};
