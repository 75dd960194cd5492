// Makes one script of the tests of src and of the code they test, so that a mutant's world is made anew in milliseconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const TESTS = 'virtual:tests';

/** `import.meta` of a file as it stands in the sandbox: in a bundle it would be that of the bundle. */
const inPlace = (code, id) =>
  code
    .replaceAll('import.meta.dirname', JSON.stringify(join(id, '..')))
    .replaceAll('import.meta.filename', JSON.stringify(id))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));

const plugin = (root, files) => ({
  name: 'mutation',
  resolveId: (id) => (id === TESTS ? TESTS : undefined),
  load: (id) => {
    if (id === TESTS) {
      const rows = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(join(root, file))})`);
      return `export const tests = {${rows.join(',\n')}};`;
    }
    if (!id.startsWith(root) || id.includes('node_modules') || !/\.tsx?$/.test(id)) return undefined;
    return { code: inPlace(readFileSync(id, 'utf8'), id), moduleType: id.endsWith('x') ? 'tsx' : 'ts' };
  },
});

/** `import { a as b } from "x"` as a statement that may stand in a function. */
const asStatement = (clause, source) => {
  const from = `__packages[${source}]`;
  const names = (list) => `{${list.replaceAll(/(\w+|"[^"]+") as /g, '$1: ')}}`;
  const [, whole] = /^\* as (\S+)$/.exec(clause) ?? [];
  if (whole) return `const ${whole} = ${from};`;
  const [, fallback, rest] = /^(?:([\w$]+)(?:,\s*)?)?(?:\{([\s\S]*)\})?$/.exec(clause);
  return [fallback && `const ${fallback} = ${from}.default;`, rest && `const ${names(rest)} = ${from};`]
    .filter(Boolean)
    .join(' ');
};

/**
 * The bundle as the text of a function: it takes `__packages`, the modules it does not hold by name, and answers with
 * a loader for each test file. Each call makes every module anew.
 */
export const bundleOf = async (root, files) => {
  const build = await rolldown({
    cwd: root,
    input: TESTS,
    platform: 'node',
    external: (id) => id !== TESTS && !id.startsWith('.') && !id.startsWith('/'),
    plugins: [plugin(root, files)],
    tsconfig: join(root, 'tsconfig.json'),
    onLog: () => {},
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: false });
  await build.close();
  const names = new Set();
  const code = output[0].code
    .replaceAll(/^import (?:([^"';]+?) from )?("[^"]+");?$/gm, (_, clause, source) => {
      names.add(JSON.parse(source));
      return clause ? asStatement(clause.trim(), source) : '';
    })
    .replace(/\nexport \{[^}]*\};?\s*(?:\/\/#.*\s*)?$/, '\n');
  return { packages: [...names], code: `(async function (__packages, __active, __hit) {${code}\nreturn tests;\n})` };
};

/** The same with one mutant at work, `__active`, and nothing counted but its own hits, by `__hit`: a comparison of numbers costs next to nothing. */
export const withoutCounting = (code) =>
  code
    .replaceAll(/\bstryCov_\w+(?:\$\d+)?\((?:\s*"\d+",?)+\s*\)/g, '0')
    .replaceAll(/\bstryMutAct_\w+(?:\$\d+)?\(\s*"(\d+)"\s*\)/g, '(__active === $1 && __hit())');
