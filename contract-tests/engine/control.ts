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

export class Control {
  readonly #fetch: Fetch;
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(fetch: Fetch, url: string, token?: string | undefined) {
    this.#fetch = fetch;
    this.#url = url.replace(/\/$/, '');
    this.#token = token;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (this.#token) headers.authorization = `Bearer ${this.#token}`;
    const response = await this.#fetch(`${this.#url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new RunError(`the control API refused ${method} ${path} with ${response.status}`);
    try {
      return text === '' ? undefined : JSON.parse(text);
    } catch {
      throw new RunError(`${method} ${path} is answered with what is no JSON: the URL of a control API ends in /_mock`);
    }
  }

  async health(): Promise<void> {
    await this.#call('GET', '/health');
  }

  async clock(): Promise<{ now: string; mode?: string }> {
    return (await this.#call('GET', '/clock')) as { now: string; mode?: string };
  }

  async setClock(now: string, mode: string | undefined): Promise<void> {
    await this.#call('POST', '/clock', { now, ...(mode === undefined ? {} : { mode }) });
  }

  async advance(by: string): Promise<{ now: string; mode?: string }> {
    return (await this.#call('POST', '/clock/advance', { by })) as { now: string; mode?: string };
  }

  async keys(): Promise<ControlKey[]> {
    return ((await this.#call('GET', '/data/keys')) as { items: ControlKey[] }).items;
  }

  async createKey(workspace_id: string, scope: string, user_id: string): Promise<Required<ControlKey>> {
    const body = { workspace_id, name: 'Contract suite', scope, user_id };
    return (await this.#call('POST', '/data/keys', body)) as Required<ControlKey>;
  }

  async revokeKey(id: string): Promise<void> {
    await this.#call('PATCH', `/data/keys/${encodeURIComponent(id)}`, { revoked: true });
  }

  async invite(workspace_id: string, name: string, email: string): Promise<{ id: string }> {
    const body = { workspace_id, name, email, role: 'member', state: 'invited' };
    return (await this.#call('POST', '/data/users', body)) as { id: string };
  }

  async join(id: string): Promise<void> {
    await this.#call('PATCH', `/data/users/${encodeURIComponent(id)}`, { state: 'joined' });
  }

  async comment(task: string, author_id: string, body: string): Promise<{ id: string }> {
    return (await this.#call('POST', '/data/comments', { task_id: task, author_id, body })) as { id: string };
  }

  async webhooks(): Promise<{ id: string; url: string }[]> {
    return ((await this.#call('GET', '/data/webhooks')) as { items: { id: string; url: string }[] }).items;
  }

  async deleteWebhook(id: string): Promise<void> {
    await this.#call('DELETE', `/data/webhooks/${encodeURIComponent(id)}`);
  }

  async simulate(id: string, outcomes: readonly (number | 'timeout')[]): Promise<void> {
    await this.#call('POST', `/webhooks/${encodeURIComponent(id)}/simulate`, { outcomes });
  }

  async deliveries(webhook: string): Promise<{ id: string; state: string; attempts: unknown[] }[]> {
    const answer = (await this.#call('GET', `/deliveries?webhook_id=${encodeURIComponent(webhook)}`)) as { items: never[] };
    return answer.items;
  }

  async createWorld(seed: object): Promise<ControlWorld> {
    const world = (await this.#call('POST', '/worlds', { seed })) as { id: string; base_url: string };
    return { id: world.id, baseUrl: `${new URL(this.#url).origin}${new URL(world.base_url).pathname}` };
  }

  async deleteWorld(id: string): Promise<void> {
    await this.#call('DELETE', `/worlds/${encodeURIComponent(id)}`);
  }

  /** The same control API inside a world. */
  within(world: string): Control {
    const origin = new URL(this.#url).origin;
    return new Control(this.#fetch, `${origin}/worlds/${encodeURIComponent(world)}/_mock`, this.#token);
  }
}
