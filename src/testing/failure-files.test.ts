// Files of a failed test without a file system: in a page vitest writes for it.
import { expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock/api/mock.ts';
import { replay } from '../replay.ts';
import { createFailureFiles } from './failure-files.ts';

test('files go into wm-mock-failures unless told, and the console says where; they go when the test passes', async () => {
  const files = new Map<string, string>();
  const { reportFailure, removeFailureFiles } = createFailureFiles<Mock>({
    save: (world, title) => world.save(title),
    write: async (path, text) => files.set(path, text),
    remove: async (path) => files.delete(path),
    here: () => 'http://localhost:1/',
  });
  const lines: string[] = [];
  const { error } = console;
  const mock = await createMock({ record: true });
  const stack = ['', '    at http://localhost:1/node_modules/x.js:1:1', '    at http://localhost:1/src/a.test.js:2:3'].join('\n');
  console.error = (text: string) => void lines.push(text);
  await reportFailure(mock, 'x.test.ts > here', { failure: { message: 'no', stack } }).finally(() => {
    console.error = error;
  });
  const [file, page] = ['wm-mock-failures/x.test.ts-here.wm.json', 'wm-mock-failures/x.test.ts-here.html'];
  expect([...files.keys()]).toEqual([file, page]);
  expect(lines).toEqual([`wm-mock: see what happened in ${page}, repeat it with: npx wm-mock replay ${file} --open\n`]);
  expect(files.get(page!)).toContain('>no\nat src/a.test.js:2:3</pre>');
  expect((await replay(files.get(file!)!)).difference).toBeUndefined();
  await removeFailureFiles(mock, 'x.test.ts > here');
  expect(files.size).toBe(0);
  // A path in the message is relative to its folder.
  await reportFailure(mock, 'a', { folder: 'http://localhost:1/b', say: () => {} });
  expect(files.get('http://localhost:1/b/a.html')).toContain('<code>npx wm-mock replay b/a.wm.json --open</code>');
  await mock.close();
});
