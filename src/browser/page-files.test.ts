// The page's own files: the newest while there is a network, the kept ones when there is none.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cachesInMemory, withGlobals } from '../test/globals.ts';
import { fromNetwork, keepFiles, newestOrKept } from './page-files.ts';

describe('Files of the page', () => {
  let fake: ReturnType<typeof cachesInMemory>;
  let back: () => void;
  let network: Record<string, () => Response>;
  let urls: string[];
  beforeEach(() => {
    fake = cachesInMemory();
    network = {};
    urls = [];
    back = withGlobals({
      caches: fake.caches,
      fetch: async (what: string | Request) => {
        const url = typeof what === 'string' ? what : what.url;
        urls.push(url);
        const respond = network[url];
        if (!respond) throw new TypeError('no network');
        return respond();
      },
    });
  });
  afterEach(() => back());
  const kept = async (name: string) =>
    Promise.all([...(fake.opened.get(name) ?? [])].map(async ([url, response]) => [url, await response.clone().text()]));
  const page = (url: string, mode: string = 'cors') => Object.defineProperty(new Request(url), 'mode', { value: mode });

  test('are kept once, each for itself; what cannot be read is left out', async () => {
    network['https://a.test/'] = () => new Response('page');
    network['https://a.test/x.js'] = () => new Response('gone', { status: 404 });
    network['https://a.test/y.css'] = () => new Response('style');
    await keepFiles('one', ['https://a.test/', 'https://a.test/x.js', 'https://a.test/none', 'https://a.test/y.css']);
    expect(await kept('one')).toEqual([
      ['https://a.test/', 'page'],
      ['https://a.test/y.css', 'style'],
    ]);
    urls.length = 0;
    await keepFiles('one', ['https://a.test/', 'https://a.test/x.js']);
    expect(urls).toEqual(['https://a.test/x.js']);
    expect(await kept('two')).toEqual([]);
  });

  test('come from the network, and are kept as they came', async () => {
    network['https://a.test/'] = () => new Response('first');
    expect(await (await newestOrKept('one', page('https://a.test/'))).text()).toBe('first');
    network['https://a.test/'] = () => new Response('second');
    expect(await (await newestOrKept('one', page('https://a.test/'))).text()).toBe('second');
    expect(await kept('one')).toEqual([['https://a.test/', 'second']]);
    network['https://a.test/'] = () => new Response('broken', { status: 500 });
    expect((await newestOrKept('one', page('https://a.test/'))).status).toBe(500);
    expect(await kept('one')).toEqual([['https://a.test/', 'second']]);
  });

  test('come from the cache when there is no network, for any caller', async () => {
    network['https://a.test/'] = () => new Response('page', { headers: { vary: 'cookie' } });
    await newestOrKept('one', page('https://a.test/'));
    network = {};
    expect(await (await newestOrKept('one', page('https://a.test/'))).text()).toBe('page');
    expect(await (await newestOrKept('one', page('https://a.test/?a=b', 'navigate'))).text()).toBe('page');
    expect((await newestOrKept('one', page('https://a.test/?a=b'))).type).toBe('error');
    expect((await newestOrKept('one', page('https://a.test/other', 'navigate'))).type).toBe('error');
    expect((await newestOrKept('two', page('https://a.test/'))).type).toBe('error');
  });

  test('are fetched with whatever fetch is there', async () => {
    network['https://a.test/seed'] = () => new Response('seed');
    expect(await (await fromNetwork('https://a.test/seed')).text()).toBe('seed');
  });
});
