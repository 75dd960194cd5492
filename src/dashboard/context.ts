// The context of a page: the world that it shows, its address, and the calls that it may make.
import { callByRow } from '../mock/control/call-by-row.ts';
import { seedKeys } from '../mock/control/calls/worlds.ts';
import type { Guard } from '../mock/control/guard.ts';
import type { Host } from '../mock/control/host.ts';
import type { Instance } from '../mock/control/instance.ts';
import type { ControlResponse } from '../mock/control/invoke.ts';
import type { ControlId } from '../mock/control/operations.ts';
import { ownerView, performAs } from '../mock/control/owner.ts';
import type { CallInput } from '../mock/control/recorder.ts';
import { mapValues } from '../service/contract/keyed.ts';
import type { OperationId } from '../service/contract/operations.ts';
import { covers, type Scope } from '../service/contract/states.ts';
import type { View } from '../service/world/view.ts';
import type { Workspace, World } from '../service/world/world.ts';
import { type Done, type FormState, makeFormState, type RefusedForm } from './form.ts';

export interface PageRequest {
  readonly host: Host;
  readonly instance: Instance;
  readonly guard: Guard;
  readonly request: Request;
  readonly path: string;
  readonly variable: string;
  readonly theme: Theme;
  readonly note?: Done | undefined;
  readonly failure?: RefusedForm | undefined;
  /** Names the action of a form on the timeline. */
  readonly action?: string;
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The one page that an app's page may frame. */
export const PANEL = '/dashboard/panel';

type Values = Readonly<Record<string, string | number | undefined>>;

export class Context {
  readonly asked: PageRequest;
  readonly host: Host;
  readonly instance: Instance;
  readonly url: URL;

  constructor(asked: PageRequest) {
    this.asked = asked;
    this.host = asked.host;
    this.instance = asked.instance;
    this.url = new URL(asked.request.url);
  }

  get world(): World {
    return this.instance.world;
  }

  /** Prefix of every path of this world: empty for the default one. */
  get base(): string {
    return this.baseOf(this.instance);
  }

  baseOf(instance: Instance): string {
    return instance === this.host.main ? '' : `/worlds/${instance.id}`;
  }

  get baseUrl(): string {
    return `${this.url.origin}${this.base}/v1`;
  }

  /** The value of a working key of the seed, or a placeholder. */
  keyOf(scope: Scope): string {
    const keys = seedKeys(this.instance).filter(({ workspace_id }) => workspace_id === this.workspace.id);
    return keys.find((key) => covers(key.scope, scope))?.value ?? `<${scope} key>`;
  }

  /** A line of shell that posts JSON: to `/v1` with a key of a scope, or to the control API. */
  postLine(path: string, body: string, scope?: Scope): string {
    const authorization = scope === undefined ? '' : ` -H "Authorization: Bearer ${this.keyOf(scope)}"`;
    return `curl -X POST "${this.url.origin}${this.base}${path}"${authorization} -H "Content-Type: application/json" -d '${body}'`;
  }

  /** A parameter of the address; undefined where it is empty. */
  query(name: string): string | undefined {
    return this.url.searchParams.get(name) || undefined;
  }

  queries(...names: readonly string[]): Readonly<Record<string, string>> {
    return Object.fromEntries(names.flatMap((name) => (this.query(name) ? [[name, this.query(name)!]] : [])));
  }

  /** Whether a form that makes something is open: asked for, or refused. */
  isMaking(action: string): boolean {
    return this.query('new') !== undefined || this.asked.failure?.action === action;
  }

  href(path: string, query: Values = {}): string {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    );
    return `${this.base}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  }

  /** This address with some parameters changed; undefined takes one out. */
  here(changes: Values = {}): string {
    // In a frame no cookie comes: the address carries the token.
    const left = this.asked.path === PANEL ? ['note'] : ['note', 'token'];
    const kept = Object.fromEntries([...this.url.searchParams].filter(([name]) => !left.includes(name)));
    return this.href(this.asked.path, { ...kept, ...changes });
  }

  /** The workspace that the page is about: `?workspace=`, else the first. */
  get workspace(): Workspace {
    const { workspaces } = this.world;
    return workspaces.get(this.query('workspace') ?? '') ?? workspaces.values().next().value!;
  }

  form(action: string): FormState {
    return makeFormState(action, this.asked.failure);
  }

  call<Id extends ControlId>(id: Id, given: CallInput = {}): Promise<ControlResponse<Id>> {
    const { host, instance, asked } = this;
    return callByRow(id, { host, instance, request: asked.request, title: asked.action ?? '' }, given);
  }

  /** Reads by an operation of the service, as the owner of a workspace: a page of a list, or the response. Nothing is counted or noted. @throws Problem */
  read(id: OperationId, query: Values = {}): unknown {
    return performAs(this.viewOf(this.workspace.id), id, { query: mapValues(query, String) });
  }

  /** Changes records by an operation of the service, as the owner of a workspace. @returns the response @throws Problem */
  perform(
    id: OperationId,
    { workspace = this.workspace.id, ...given }: Pick<CallInput, 'variable' | 'body'> & { workspace?: string },
  ): Promise<unknown> {
    return this.call('performOperation', { variable: id, body: { workspace_id: workspace, ...given } });
  }

  viewOf(workspace: string): View {
    return ownerView(this.world, workspace);
  }
}
