// Serves a saved mock: loads it from its shelf at the first request, and responds once the changes are written.
//
// Requests go to the same application as everywhere. `saving/keeper.ts` writes their changes in one transaction before the
// response is passed to the page. A shelf is a port: IndexedDB in a browser, a map in a test, SQLite in a hosted world.
import { hostOptionsOf, mockOn, toSeed } from '../mock/api/create.ts';
import type { Mock } from '../mock/api/mock.ts';
import type { MockOptions } from '../mock/api/options.ts';
import { errorResponse } from '../mock/control/call.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import type { Keeper } from '../mock/saving/keeper.ts';
import { reopen } from '../mock/saving/reopen.ts';
import { type Shelf, ShelfTaken } from '../mock/saving/shelf.ts';
import { errorMessage, Problem } from '../service/contract/errors.ts';
import { unmountUrl, withUrl } from '../service/http/in-process.ts';
import { ConnectionClosed } from '../service/http/respond-with-fault.ts';
import { wait } from '../service/world/time.ts';
import { type Client, pageSender } from './page-sender.ts';

export interface KeptOptions extends Omit<MockOptions, 'sender' | 'deliverPublic' | 'docsScript' | 'panelScript'> {
  /** Under which the mock stands; ends in `/v1`. */
  readonly baseUrl: string;
  /** What the state was made of: when it differs from that of the kept state, the mock begins anew. */
  readonly madeOf: string;
  readonly shelf: () => Promise<Shelf>;
  readonly pages: () => Promise<readonly Client[]>;
  /** The seed, when the mock begins: nothing is read when it goes on. */
  readonly readSeed: () => Promise<string | object | undefined>;
}

interface OpenMock {
  readonly mock: Mock;
  readonly keeper: Keeper;
}

export class KeptMock {
  readonly #options: KeptOptions;
  readonly #inside: (url: string) => string | undefined;
  #open: Promise<OpenMock> | undefined;

  constructor(options: KeptOptions) {
    this.#options = options;
    this.#inside = unmountUrl(options.baseUrl);
  }

  /** Whether a URL is the mock's. */
  owns(url: string): boolean {
    return this.#inside(url) !== undefined;
  }

  /** @throws SeedError, RangeError or what the shelf throws, as often as it is tried. */
  async mock(): Promise<Mock> {
    return (await this.#opened()).mock;
  }

  /** Answers a request. Its effect and its place in the journal are kept before it is answered; a closed connection is `Response.error()`. */
  async answer(request: Request): Promise<Response> {
    try {
      return await this.#answer(await withUrl(request, this.#inside(request.url)!));
    } catch (error) {
      return errorResponse(new Problem(500, 'internal_error', `The mock in this browser has no answer: ${errorMessage(error)}`));
    }
  }

  async #answer(request: Request, again = true): Promise<Response> {
    const { mock, keeper } = await this.#opened();
    const answer = await this.#ask(mock, request.clone());
    try {
      await this.#keep(keeper);
      return answer;
    } catch (error) {
      // Another worker went on meanwhile: here nothing has happened yet.
      if (error instanceof ShelfTaken && again) return this.#answer(request, false);
      throw error;
    }
  }

  /** Resolves when what was due has been done and kept. */
  async rest(): Promise<void> {
    const { mock, keeper } = await this.#opened();
    // What is due starts on the next turn.
    await wait(0);
    await mock.webhooks.settled();
    await this.#keep(keeper);
  }

  /** What could not be kept has not happened: the next request finds the state as it was kept last. */
  async #keep(keeper: Keeper): Promise<void> {
    try {
      await keeper.save();
    } catch (error) {
      const open = await this.#open;
      if (open?.keeper === keeper) {
        this.#open = undefined;
        await open.mock.close();
      }
      throw error;
    }
  }

  async #ask(mock: Mock, request: Request): Promise<Response> {
    try {
      return await mock.app.fetch(request);
    } catch (error) {
      if (error instanceof ConnectionClosed) return Response.error();
      throw error;
    }
  }

  #opened(): Promise<OpenMock> {
    this.#open ??= this.#reopen().catch((error) => {
      this.#open = undefined;
      throw error;
    });
    return this.#open;
  }

  async #reopen(): Promise<OpenMock> {
    const { shelf, madeOf, pages, readSeed, baseUrl, ...given } = this.#options;
    let mock: Mock | undefined;
    const own = (request: Request) => {
      const url = this.#inside(request.url);
      return mock && url !== undefined ? withUrl(request, url).then((inside) => this.#ask(mock!, inside)) : undefined;
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
  }
}
