// Where the mock of a page is, which of its worlds the page calls, and why it cannot be reached.

export interface PanelOptions {
  /** The `control_url` that the mock prints, or that of a world. `http://127.0.0.1:4700/_mock` unless told otherwise. */
  readonly controlUrl?: string | URL | undefined;
  /** Id of the world to show. Absent: the one that the page calls, else the main one (`default`). */
  readonly world?: string | undefined;
  /** The value of `--control-token`, or the token that the mock printed. */
  readonly token?: string | undefined;
  /** Begins open. */
  readonly open?: boolean | undefined;
}

const WORLD_PATH = /\/worlds\/([^/]+)$/;

export const tokenQuery = (token: string | undefined): string =>
  token === undefined ? '' : `?token=${encodeURIComponent(token)}`;

/** Finds the control API of a world: the named one, else the one that the page called last. @param here the address of the page */
export const locateMock = ({ controlUrl = 'http://127.0.0.1:4700/_mock', world }: PanelOptions, here = location.href) => {
  const base = new URL(controlUrl, here).href.replace(/\/*(?:_mock|v1)?\/*(?:[?#].*)?$/, '');
  const root = base.replace(WORLD_PATH, '');
  const named = world ?? WORLD_PATH.exec(base)?.[1];
  const { port, pathname } = new URL(root);
  let called: string | undefined;
  const url = () => {
    const id = named ?? called;
    return `${id === undefined || id === 'default' ? root : `${root}/worlds/${id}`}/_mock`;
  };
  /** Learns from addresses that the page has loaded. localhost and 127.0.0.1 are one machine: the port tells the mock. @returns whether `url` changed */
  const follow = (addresses: readonly string[]): boolean => {
    const before = url();
    for (const address of addresses) {
      const loaded = new URL(address, here);
      const [call, id] = /^(?:\/worlds\/([^/]+))?\/v1\//.exec(loaded.pathname.replace(pathname.replace(/\/$/, ''), '')) ?? [];
      if (call && loaded.port === port) called = id;
    }
    return url() !== before;
  };
  return { url, follow };
};

const MORE = 'docs/dashboard.md of wm-mock has more.';

/** @returns why the panel cannot be shown, and what to do; undefined when it can */
export const findPanelProblem = async (
  url: string,
  token: string | undefined,
  { origin }: { readonly origin: string } = location,
  fetch = globalThis.fetch,
): Promise<string | undefined> => {
  const response = await fetch(`${url}/clock${tokenQuery(token)}`).catch(() => undefined);
  if (response?.ok) return undefined;
  if (response?.status === 401)
    return `The mock asks for its control token. Give it as data-token="…" on the script tag, or panel({ token: '…' }). ${MORE}`;
  if (response) return `The mock refuses ${url} with ${response.status}. ${MORE}`;
  // A response that is not shared with this origin arrives all the same, and cannot be read.
  const responds = await fetch(`${url}/panel.js`, { mode: 'no-cors' }).then(Boolean, () => false);
  if (!responds)
    return `No mock responds at ${url}. Start one with npx wm-mock, or say where it is: panel({ controlUrl: '…' }). ${MORE}`;
  if (origin === 'null') return `This page has no origin that the mock could allow. Serve it over http. ${MORE}`;
  return `The mock does not let pages of ${origin} use its control API. Start it with --allow-origin ${origin}, or createMock({ allowOrigins: ['${origin}'] }), and open this panel again. ${MORE}`;
};
