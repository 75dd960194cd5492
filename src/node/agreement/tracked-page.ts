// A page as the check needs to know it: its requests, and what was done on it.
import type { Page, Request } from '@playwright/test';
import { hideCalls, type PageAction } from './page-calls.ts';
import { releaseInPage } from './read-screen.ts';
import type { Moment, PastRequest, WorldHistory } from './world-history.ts';

interface TrackedRequest {
  readonly request: Request;
  readonly method: string;
  readonly url: string;
  /** Absent for requests that the world did not get. */
  past?: PastRequest | undefined;
}

const hasCursor = (url: string): boolean => /[?&]cursor=/.test(url);
/** The path after `/v1`. */
const restOf = (path: string): string => path.replace(/^\/v1/, '');

export class TrackedPage {
  readonly page: Page;
  readonly requests: TrackedRequest[] = [];
  /** Without a response yet. */
  readonly open = new Set<Request>();
  /** Since the page was loaded. */
  steps: (PageAction | TrackedRequest)[] = [];
  /** Base URLs of the service, as the page calls it; ends in `/v1` unless a proxy adds that. */
  readonly bases = new Set<string>();
  /** Its state when it was last found to agree. */
  agreed?: { readonly changes: number; readonly step: unknown; readonly url: string; readonly text: string };
  /** The page hears of events as they come. */
  listens = false;

  constructor(page: Page) {
    this.page = page;
    const end = (request: Request) => void this.open.delete(request);
    page.on('request', (request) => this.#begin(request));
    page.on('requestfinished', end).on('requestfailed', end);
    page.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream')) this.#listen(response.request());
    });
    page.on('websocket', () => this.#listen());
  }

  #listen(request?: Request): void {
    this.listens = true;
    if (request) this.open.delete(request);
  }

  #begin(request: Request): void {
    this.open.add(request);
    if (request.resourceType() === 'eventsource') this.#listen(request);
    if (request.isNavigationRequest() && request.frame() === this.page.mainFrame()) this.steps = [];
    if (!/^(fetch|xhr)$/.test(request.resourceType())) return;
    const made = { request, method: request.method(), url: request.url() };
    this.requests.push(made);
    this.steps.push(made);
    if (made.method !== 'GET') hideCalls(this.page, () => this.page.evaluate(releaseInPage)).catch(() => undefined);
  }

  /** Finds its requests in a history, in order. */
  match({ requests, routed, mock }: WorldHistory): void {
    const known = new Set(this.requests.map(({ past }) => past));
    for (const one of this.requests) {
      const { method, url } = one;
      one.past ??= requests.find((each) => !known.has(each) && each.method === method && url.endsWith(restOf(each.path)));
      if (!one.past || known.has(one.past)) continue;
      known.add(one.past);
      this.bases.add(url.slice(0, -restOf(one.past.path).length));
    }
    for (const base of [mock.baseUrl, ...routed]) this.bases.add(base);
  }

  get past(): readonly PastRequest[] {
    return this.requests.flatMap(({ past }) => past ?? []);
  }

  /** When the page was last told something new: by a change of its own, a read, or an event. */
  lastTold({ delivered }: WorldHistory): Moment | undefined {
    const seen = new Map<string, string>();
    let last = this.listens ? delivered : undefined;
    for (const past of this.past) {
      const text = JSON.stringify(past.entry.response.body);
      const isNews = past.method !== 'GET' || seen.get(past.path) !== text;
      if (isNews && past.changes >= (last?.changes ?? 0)) last = past;
      seen.set(past.path, text);
    }
    return last;
  }

  /** Usually the actions that opened the dialog or the panel that is open now. */
  get actionsSinceWrite(): PageAction[] {
    const write = this.steps.findLastIndex((step) => 'method' in step && step.method !== 'GET');
    return this.steps.slice(write + 1).filter((step) => 'repeat' in step && step.href === this.page.url()) as PageAction[];
  }

  /**
   * The actions that a second page repeats: none that led to a write.
   * @param beforeWrites with the actions before one that wrote, such as that which opened its form
   * @param paging with those that asked for a further page of a list
   */
  actions(beforeWrites: boolean, paging: boolean): PageAction[] {
    const kept: PageAction[] = [];
    let open: PageAction[] = [];
    for (const step of this.steps) {
      if ('repeat' in step) {
        if (step.href === this.page.url()) open.push(step);
        continue;
      }
      const isWrite = step.method !== 'GET';
      kept.push(...(isWrite && !beforeWrites ? [] : isWrite || (hasCursor(step.url) && !paging) ? open.slice(0, -1) : open));
      open = [];
    }
    return [...kept, ...open];
  }
}
