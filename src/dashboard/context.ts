// What a page knows: the world that it shows, what was asked for, and the two tables of calls that it may make.

import type { Guard } from '../mock/control/guard.ts';
import type { Host } from '../mock/control/host.ts';
import type { Instance } from '../mock/control/instance.ts';
import { type ControlResponse, type Given, invoke } from '../mock/control/invoke.ts';
import type { ControlId } from '../mock/control/operations.ts';
import { type OperationId, operation } from '../service/contract/operations.ts';
import { type Terms, termsOf } from '../service/contract/terms.ts';
import { performOperation } from '../service/http/endpoint.ts';
import { RequestInfo } from '../service/http/request-info.ts';
import type { KeyRecord, UserRecord } from '../service/world/records.ts';
import { View } from '../service/world/view.ts';
import type { Workspace, World } from '../service/world/world.ts';
import { type Failure, type FormState, formState } from './form.ts';
import type { Done } from './notes.ts';

/** What a page is drawn from. */
export interface Asked {
  readonly host: Host;
  readonly instance: Instance;
  readonly guard: Guard;
  readonly request: Request;
  /** The path below the base of the world. */
  readonly path: string;
  readonly variable: string;
  readonly theme: Theme;
  readonly note?: Done | undefined;
  readonly failure?: Failure | undefined;
}

/** The one page that an app's page may frame. */
export const PANEL = '/dashboard/panel';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

type Values = Readonly<Record<string, string | number | undefined>>;

export class Context {
  readonly asked: Asked;
  readonly host: Host;
  readonly instance: Instance;
  readonly url: URL;

  constructor(asked: Asked) {
    this.asked = asked;
    this.host = asked.host;
    this.instance = asked.instance;
    this.url = new URL(asked.request.url);
  }

  get world(): World {
    return this.instance.world;
  }

  /** What stands before every path of this world: nothing for the default one. */
  get base(): string {
    return this.baseOf(this.instance);
  }

  baseOf(instance: Instance): string {
    return instance === this.host.main ? '' : `/worlds/${instance.id}`;
  }

  /** The address of the service in this world; ends in `/v1`. */
  get baseUrl(): string {
    return `${this.url.origin}${this.base}/v1`;
  }

  /** A parameter of the address; undefined where it is empty as well. */
  query(name: string): string | undefined {
    return this.url.searchParams.get(name) || undefined;
  }

  /** Some parameters of the address by their names, without those that it has not. */
  queries(...names: readonly string[]): Readonly<Record<string, string>> {
    return Object.fromEntries(names.flatMap((name) => (this.query(name) ? [[name, this.query(name)!]] : [])));
  }

  /** Whether it is drawn in a frame, to which no cookie comes: its address carries the token. */
  get framed(): boolean {
    return this.asked.path === PANEL;
  }

  /** The address of a page or asset in this world. */
  href(path: string, query: Values = {}): string {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    );
    return `${this.base}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  }

  /** This address with some parameters changed; undefined takes one out. */
  here(changes: Values = {}): string {
    const left = this.framed ? ['note'] : ['note', 'token'];
    const kept = Object.fromEntries([...this.url.searchParams].filter(([name]) => !left.includes(name)));
    return this.href(this.asked.path, { ...kept, ...changes });
  }

  /** The workspace that the page is about: `?workspace=`, else the first. */
  get workspace(): Workspace {
    const { workspaces } = this.world;
    return workspaces.get(this.query('workspace') ?? '') ?? workspaces.values().next().value!;
  }

  /** What was typed into the form of an action and what is wrong with it, when it was just refused. */
  form(action: string): FormState {
    return formState(action, this.asked.failure);
  }

  /** Makes a call of the control API. @throws Problem */
  call<Id extends ControlId>(id: Id, given: Given = {}): Promise<ControlResponse<Id>> {
    return invoke(id, { host: this.host, instance: this.instance, request: this.asked.request }, given);
  }

  /** Performs an operation of the service, as a key of scope admin of a workspace would: a page of a list, or what the response holds. Nothing is counted, no exchange is written down. @throws Problem */
  perform(id: OperationId, { variable, query = {}, body, workspace = this.workspace.id }: Performing = {}): unknown {
    const { method } = operation(id);
    const request = new RequestInfo({
      id,
      allowed: [],
      method,
      url: `${this.url.origin}/?${new URLSearchParams(query as Record<string, string>)}`,
      headers: new Headers(),
      variable,
      authorization: undefined,
      contentType: 'application/json',
      body: body === undefined ? undefined : { text: JSON.stringify(body) },
    });
    const { text, page } = performOperation(id, operation(id), this.viewOf(workspace), request);
    return page ?? (text === null ? undefined : JSON.parse(text));
  }

  /** A workspace as its owner sees it: the first admin who has joined, else the first who has. */
  viewOf(workspace: string): View {
    const { users } = this.world.store;
    const joined = (equal: readonly string[], values: readonly string[]) =>
      users.list({ equal, by: 'created_at', descending: false, nulls: 'last' }, workspace, values).rows(0, 1)[0]?.value;
    const user = joined(['role', 'state'], ['admin', 'joined']) ?? joined(['state'], ['joined']) ?? NOBODY;
    const key: KeyRecord = { ...DASHBOARD_KEY, user_id: user.id };
    return new WholeView(this.world, { key, user, workspace });
  }
}

/** At any release of the service, the dashboard speaks the last one: it shows whole records, by cursors. */
class WholeView extends View {
  override get terms(): Terms {
    return termsOf({ choices: this.choices });
  }
}

interface Performing {
  readonly variable?: string | undefined;
  readonly query?: Values;
  readonly body?: unknown;
  readonly workspace?: string;
}

/** Operations look at who asks by id, and at the scope of the key: there is no more to this user and this key. */
const NOBODY = { id: 'dashboard' } as UserRecord;
const DASHBOARD_KEY = { id: 'dashboard', scope: 'admin' } as KeyRecord;
