// Serves a saved mock: loads it from its shelf at the first request, and responds once the changes are written.
//
// Requests go to the same application as everywhere. `saving/host-keeper.ts` writes their changes in one transaction before the
// response is passed to the page. A shelf is a port: IndexedDB in a browser, a map in a test, SQLite in a hosted world.
import { hostOptionsOf, mockOn, toSeed } from '../mock/api/create.ts';
import type { Mock } from '../mock/api/mock.ts';
import type { MockOptions } from '../mock/api/options.ts';
import { errorResponse } from '../mock/control/call.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import type { Keeper } from '../mock/saving/host-keeper.ts';
import { reopen } from '../mock/saving/reopen.ts';
import { type Shelf, ShelfTaken } from '../mock/saving/shelf.ts';
import { errorMessage, Problem } from '../service/contract/errors.ts';
import { unmountUrl, withUrl } from '../service/http/in-process.ts';
import { fetchUnlessClosed } from '../service/http/respond-with-fault.ts';
import { wait } from '../service/world/time.ts';
import { type Client, pageSender } from './page-sender.ts';

export interface KeptOptions extends Omit<MockOptions, 'sender' | 'deliverPublic' | 'docsScript' | 'panelScript'> {
  /** The base URL of the mock; ends in `/v1`. */
  readonly baseUrl: string;
  /** Identifies the options of the state: when they differ from those of the kept state, the mock begins again. */
  readonly madeOf: string;
  readonly shelf: () => Promise<Shelf>;
  readonly pages: () => Promise<readonly Client[]>;
  /** The seed, when the mock begins: nothing is read when it continues. */
  readonly readSeed: () => Promise<string | object | undefined>;
}

interface OpenMock {
  readonly mock: Mock;
  readonly keeper: Keeper;
}

const fetchFrom = ({ app }: Mock, request: Request) => fetchUnlessClosed(app, request, () => Response.error());

const openMock = async (kept: KeptOptions, inside: (url: string) => string | undefined): Promise<OpenMock> => {
  const { shelf, madeOf, pages, readSeed, baseUrl, ...given } = kept;
  let mock: Mock | undefined;
  const own = (request: Request) => {
    const url = inside(request.url);
    return mock && url !== undefined ? withUrl(request, url).then((one) => fetchFrom(mock!, one)) : undefined;
  };
  const options = { ...given, deliverPublic: true, sender: pageSender({ own, pages }) };
  const plant = async () => {
    const seed = await readSeed();
    return plantSeed(await toSeed({ ...options, ...(seed === undefined ? {} : { seed }) }));
  };
  const { host, keeper } = await reopen(await shelf(), madeOf, hostOptionsOf(options), plant);
  mock = mockOn(host, options);
  mock.guard.allow(new URL(baseUrl).hostname);
  return { mock, keeper };
};

export const keepMock = (kept: KeptOptions) => {
  const inside = unmountUrl(kept.baseUrl);
  let open: Promise<OpenMock> | undefined;
  const openOnce = (): Promise<OpenMock> => {
    open ??= openMock(kept, inside).catch((error) => {
      open = undefined;
      throw error;
    });
    return open;
  };

  /** An unsaved change has not happened: the next request finds the last saved state. */
  const keep = async ({ mock, keeper }: OpenMock): Promise<void> => {
    try {
      await keeper.save();
    } catch (error) {
      if ((await open)?.keeper === keeper) {
        open = undefined;
        await mock.close();
      }
      throw error;
    }
  };

  const respond = async (request: Request, again = true): Promise<Response> => {
    const current = await openOnce();
    const response = await fetchFrom(current.mock, request.clone());
    try {
      await keep(current);
      return response;
    } catch (error) {
      // Another worker continued meanwhile: here nothing has happened yet.
      if (error instanceof ShelfTaken && again) return respond(request, false);
      throw error;
    }
  };

  return {
    owns: (url: string): boolean => inside(url) !== undefined,
    /** @throws SeedError, RangeError or what the shelf throws, as often as it is tried. */
    mock: async (): Promise<Mock> => (await openOnce()).mock,
    /** Its effect and its place in the journal are kept before its response; a closed connection is `Response.error()`. */
    serve: (request: Request): Promise<Response> =>
      withUrl(request, inside(request.url)!)
        .then((one) => respond(one))
        .catch((error) => {
          const says = `The mock in this browser cannot respond: ${errorMessage(error)}`;
          return errorResponse(new Problem(500, 'internal_error', says));
        }),
    /** Resolves when due jobs are done and kept. */
    rest: async (): Promise<void> => {
      const current = await openOnce();
      // Due jobs start on the next turn.
      await wait(0);
      await current.mock.webhooks.settled();
      await keep(current);
    },
  };
};
