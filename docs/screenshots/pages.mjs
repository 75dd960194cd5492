// The table of the dashboard's pages, for scripts: src/dashboard/pages.ts, bundled in memory.
import { rolldown } from 'rolldown';

/** Name and address of every example of every page; they hold with fixtures/demo.yaml and the traffic of src/test/traffic.mjs. */
export const addresses = async () => {
  const build = await rolldown({
    input: 'src/dashboard/pages.ts',
    platform: 'neutral',
    tsconfig: 'tsconfig.json',
    resolve: { conditionNames: ['import', 'default'], mainFields: ['module', 'main'] },
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  const { PAGES } = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
  return PAGES.flatMap(({ examples }) => Object.entries(examples).map(([name, path]) => ({ name, path })));
};
