// The actions and links of each page, for readers and scripts: listed whole, so that nothing comes, goes or changes unseen.
import { expect, test } from 'vitest';
import { ADDRESSES } from '../test/dashboard.ts';
import { offersOf } from '../test/offers.ts';
import { mainOf } from '../test/reading.ts';
import { bare, busy, changed } from '../test/states.ts';
import { PAGES } from './pages.ts';

const DATA = '/dashboard/data';
const BUSY = [
  `${DATA}/projects?new=1`,
  `${DATA}/teams?new=1`,
  `${DATA}/comments?new=1&task_id=task_launch_hinge&open=cmt_hinge_2`,
  `${DATA}/users?new=1&open=user_ada`,
];
const CHANGED = [
  '/worlds/other/',
  `/worlds/other${DATA}/users?open=user_6607kcg3wxdmrh01&workspace=ws_globex`,
  '/worlds/other/dashboard/settings?workspace=ws_globex',
  '/worlds/other/dashboard/faults',
  '/worlds/other/dashboard/requests',
];
/** Twins of others; and the open points, which come from the contract: a search shows enough of them. */
const LEFT_OUT = /choices($|\?show=touched)|req_8|dlv_dfqmgv1aygapbxhg|settings\?workspace/;
const fewOf = (paths: readonly string[]) => paths.filter((path) => !LEFT_OUT.test(path));
const ALL = fewOf(ADDRESSES.map(({ path }) => path));
/** Without records, requests and deliveries there is no page of one. */
const SAMPLES = fewOf(PAGES.filter(({ path }) => !path.endsWith('{id}')).map(({ examples }) => Object.values(examples)[0]!));

test('Each page offers its headings, links, buttons, fields and columns; what other pages offer too is told once', async () => {
  const list: string[] = [];
  for (const [state, make, paths] of [
    ['busy', busy, [...ALL, ...BUSY]],
    ['bare', bare, [...SAMPLES, `${DATA}/tasks`, `${DATA}/comments`]],
    ['changed', changed, CHANGED],
  ] as const) {
    const bench = await make();
    for (const path of paths) {
      const { text } = await bench.get(path);
      if (path === paths[0])
        list.push(
          ...offersOf(text.replace(/^[\s\S]*<body|<main[\s\S]*<\/main>/g, '').replaceAll('<dialog', '<section class="card"')),
        );
      const [head, ...parts] = offersOf(mainOf(text));
      const live = /data-kinds="([^"]*)"/.exec(text)?.[1];
      list.push(
        `# ${path}, ${state}, live: ${live}, ${parts.length} parts: ${head}`,
        ...parts.filter((line) => !list.includes(line)),
      );
    }
    await bench.mock.close();
  }
  // Behind the time of the world stands the real one.
  const steady = list.map((line) => line.replaceAll(/(:\d\d\.\d{3} \| \.nowrap muted roomy) \d\d:\d\d:\d\d\.\d{3}/g, '$1 (now)'));
  await expect(`${steady.join('\n')}\n`).toMatchFileSnapshot('golden/offers.txt');
});
