// A wm-mock's control API, as far as the suite uses it. A foreign server has none.

import type { Fetch } from './terms.ts';
import { RunError } from './terms.ts';

export interface ControlKey {
  readonly id: string;
  readonly value?: string;
  readonly scope: string;
  readonly workspace_id: string;
  readonly user_id: string;
}

export interface ControlWorld {
  readonly id: string;
  /** Base URL of the world, on the origin of the control API. */
  readonly baseUrl: string;
}

interface Made {
  readonly id: string;
}

/** The time that the clock of a world shows. */
interface Reading {
  readonly now: string;
  readonly mode?: string;
}

const at = (items: string, id: string): string => `${items}/${encodeURIComponent(id)}`;

export class Control {
  readonly #fetch: Fetch;
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(fetch: Fetch, url: string, token?: string | undefined) {
    this.#fetch = fetch;
    this.#url = url.replace(/\/$/, '');
    this.#token = token;
  }

  async #call<T = void>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (this.#token) headers.authorization = `Bearer ${this.#token}`;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.#fetch(`${this.#url}${path}`, { method, headers, ...sent });
    const text = await response.text();
    if (!response.ok) throw new RunError(`the control API refused ${method} ${path} with ${response.status}`);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch {
      throw new RunError(`the response to ${method} ${path} is not JSON: the URL of a control API ends in /_mock`);
    }
  }

  async #items<T>(path: string): Promise<T[]> {
    return (await this.#call<{ items: T[] }>('GET', path)).items;
  }

  readonly health = () => this.#call('GET', '/health');
  readonly clock = () => this.#call<Reading>('GET', '/clock');
  readonly setClock = (now: string, mode: string | undefined) => this.#call('POST', '/clock', { now, ...(mode && { mode }) });
  readonly advance = (by: string) => this.#call<Reading>('POST', '/clock/advance', { by });
  readonly keys = () => this.#items<ControlKey>('/data/keys');
  readonly createKey = (workspace_id: string, scope: string, user_id: string) =>
    this.#call<Required<ControlKey>>('POST', '/data/keys', { workspace_id, name: 'Contract suite', scope, user_id });
  readonly revokeKey = (id: string) => this.#call('PATCH', at('/data/keys', id), { revoked: true });
  readonly invite = (workspace_id: string, name: string, email: string) =>
    this.#call<Made>('POST', '/data/users', { workspace_id, name, email, role: 'member', state: 'invited' });
  readonly join = (id: string) => this.#call('PATCH', at('/data/users', id), { state: 'joined' });
  readonly comment = (task_id: string, author_id: string, body: string) =>
    this.#call<Made>('POST', '/data/comments', { task_id, author_id, body });
  readonly webhooks = () => this.#items<Made & { url: string }>('/data/webhooks');
  readonly deleteWebhook = (id: string) => this.#call('DELETE', at('/data/webhooks', id));
  readonly simulate = (id: string, outcomes: readonly (number | 'timeout')[]) =>
    this.#call('POST', `${at('/webhooks', id)}/simulate`, { outcomes });
  readonly deliveries = (webhook: string) =>
    this.#items<Made & { state: string; attempts: unknown[] }>(`/deliveries?webhook_id=${encodeURIComponent(webhook)}`);
  readonly deleteWorld = (id: string) => this.#call('DELETE', at('/worlds', id));

  async createWorld(seed: object): Promise<ControlWorld> {
    const { id, base_url } = await this.#call<Made & { base_url: string }>('POST', '/worlds', { seed });
    return { id, baseUrl: `${new URL(this.#url).origin}${new URL(base_url).pathname}` };
  }

  /** This control API inside a world. */
  within(world: string): Control {
    const origin = new URL(this.#url).origin;
    return new Control(this.#fetch, `${origin}/worlds/${encodeURIComponent(world)}/_mock`, this.#token);
  }
}
