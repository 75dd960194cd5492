// What a reader of the packed package finds: every link of its pages leads to a file of the package, and to a heading of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { inFolder, pack } from './packed.mjs';

/** The anchors of a page: its headings, as GitHub and npm name them. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test('no page of the package has a dead link', () =>
  inFolder((folder) => {
    const { path, files } = pack(folder);
    const read = (file) => execFileSync('tar', ['-xzOf', path, `package/${file}`], { encoding: 'utf8' });
    const names = files.map((file) => file.path);
    const pages = new Map(names.filter((name) => name.endsWith('.md')).map((name) => [name, read(name)]));
    assert.ok(pages.has('README.md') && pages.size > 10);
    for (const [name, text] of pages) {
      for (const [, link, anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)) {
        const target = link === '' ? name : join(dirname(name), link);
        assert.ok(names.includes(target), `${name} links ${link}, which is not in the package`);
        if (anchor) assert.ok(anchorsOf(pages.get(target)).includes(anchor), `${name} links ${link}#${anchor}: no such heading`);
      }
    }
  }));
