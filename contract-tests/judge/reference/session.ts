// A client that writes down everything it sees, with ids and cursors replaced by names, so that two servers can be compared.
import { VirtualClock } from './clock.ts';
import { createFarmServer, type FarmServer } from './server.ts';
import type { Post } from './service/events.ts';
import type { Service } from './service/service.ts';
import type { StyleName } from './styles.ts';

export type Role = 'admin' | 'write' | 'read' | 'revoked' | 'other';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly headers: Headers;
}

/** The value at a path of member names and indexes; undefined when there is none. */
export const dig = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[name] : undefined),
    value,
  );

export const idOf = (reply: Reply): string => String(dig(reply.json, 'data', 'id') ?? 'none');
export const itemsOf = (reply: Reply): readonly unknown[] => {
  const items = dig(reply.json, 'items');
  return Array.isArray(items) ? items : [];
};
export const nextOf = (reply: Reply): string => String(dig(reply.json, 'meta', 'next_cursor') ?? '');

/** How a receiver answers: with a status, after a time in milliseconds, or never. */
export type Manner = number | { readonly status: number; readonly after: number } | 'never';

const START = Date.parse('2025-02-03T10:11:12.345Z');
const SHOWN = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Deprecation'];

/** Two sessions part here. */
export class Differs extends Error {
  readonly expected: string;
  readonly actual: string;
  constructor(expected: string, actual: string) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
  }
}

export class Session {
  readonly server: FarmServer;
  readonly transcript: string[] = [];
  readonly replies: Reply[] = [];
  readonly posts: (Post & { readonly at: number })[] = [];
  readonly clock: VirtualClock;
  /** Whether the session waits so that it never runs into the rate limit. */
  paced = true;
  private readonly expected: readonly string[] | undefined;
  /** The first difference: it is thrown again, for a server may have caught it. */
  private parting: Differs | undefined;
  /** Answers of receivers by path; the last one goes on. */
  private readonly manners = new Map<string, Manner[]>();
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** @param expected What another session wrote down; the first line that differs ends this one. */
  constructor(style: StyleName, alter?: (service: Service) => void, expected?: readonly string[]) {
    this.expected = expected;
    this.clock = new VirtualClock(START);
    const send = (post: Post) => this.receive(post);
    this.server = createFarmServer({ style, clock: this.clock, send, ...(alter ? { alter } : {}) });
  }

  /** Says how the receiver at a path answers, one attempt after the other. */
  receiver(path: string, ...manners: readonly Manner[]): string {
    this.manners.set(path, [...manners]);
    return `https://hooks.example.test/${path}`;
  }

  private receive(post: Post): Promise<number> {
    this.posts.push({ ...post, at: this.clock.now() });
    this.note(`+${this.clock.now() - START} ${post.method} ${post.url} ${JSON.stringify(post.headers)} ${post.body}`);
    const manners = this.manners.get(String(post.url).split('/').at(-1) ?? '') ?? [200];
    const manner = (manners.length > 1 ? manners.shift() : manners[0]) ?? 200;
    if (manner === 'never') return new Promise(() => undefined);
    if (typeof manner === 'number') return Promise.resolve(manner);
    return new Promise((done) => this.clock.after(manner.after, () => done(manner.status)));
  }

  async call(role: Role | null, method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply> {
    const headers: Record<string, string> = role ? { Authorization: `Bearer ${this.server.keys[role]}` } : {};
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(method, path, { ...headers, ...more }, text);
  }

  /** A request with headers and a body as they are. */
  async send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    if (this.paced && this.replies.length % 40 === 39) await this.clock.sleep(61_000);
    const response = await this.server.fetch(`${this.server.baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const shown = SHOWN.map((name) => response.headers.get(name) ?? '-').join(' ');
    this.note(
      `${method} ${path} ${body ?? ''} > ${response.status} ${response.headers.get('content-type') ?? ''} ${shown} ${text}`,
    );
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {}
    const reply = { status: response.status, text, json, headers: response.headers };
    this.replies.push(reply);
    return reply;
  }

  /** Follows a list to its end, at most so many pages; answers all items. */
  async walk(role: Role, path: string, pages = 60): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    let reply = await this.call(role, 'GET', path);
    items.push(...itemsOf(reply));
    for (let page = 1; page < pages && nextOf(reply) !== ''; page += 1) {
      reply = await this.call(role, 'GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(nextOf(reply))}`);
      items.push(...itemsOf(reply));
    }
    return items;
  }

  private note(line: string): void {
    const cursors = line
      .replace(/"next_cursor":"[^"]+"/g, '"next_cursor":"<cursor>"')
      .replace(/cursor=[\w%.-]+/g, 'cursor=<cursor>')
      .replace(/("X-Service-Signature":)"([0-9a-f]{64})"/g, (_, name, hex) => `${name}"${this.named('signature', hex)}"`);
    this.append(
      cursors.replace(/\b(proj|task|user|team|cmt|evt|hook|secret)_([0-9A-Za-z-]{8,})/gi, (id, kind) =>
        this.named(kind.toLowerCase(), id),
      ),
    );
  }

  private append(line: string): void {
    this.transcript.push(line);
    const expected = this.expected?.[this.transcript.length - 1];
    if (this.expected && expected !== line) this.parting ??= new Differs(expected ?? 'nothing more', line);
    if (this.parting) throw this.parting;
  }

  /** A name that depends on the order in which ids are seen alone. */
  private named(kind: string, id: string): string {
    const known = this.names.get(id);
    if (known) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const name = `${kind}#${count}`;
    this.names.set(id, name);
    return name;
  }
}
