// Before the first check: is this the service, do the keys work, what does a control API add. Wrong credentials end here.
import type { Client } from './client.ts';
import { Control } from './control.ts';
import { idOf, isRecord, type Json, records, resource, succeeded } from './exchange.ts';
import type { ContractOptions, Fetch, Role } from './options.ts';
import { RunError } from './options.ts';
import { reasonOf } from './reason.ts';
import type { Redactor } from './redact.ts';

export type Keys = { [R in Role]?: string | undefined };

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

export const checkedBase = (baseUrl: string): string => {
  const base = baseUrl.replace(/\/+$/, '');
  if (!URL.canParse(base)) throw new RunError(`the base URL is no URL: "${baseUrl}"`);
  if (!/\/v1$/.test(new URL(base).pathname)) throw new RunError(`the base URL must end in /v1: "${baseUrl}"`);
  return base;
};

export const knowKeys = (keys: Keys, redactor: Redactor): void => {
  const names: Record<Role, string> = {
    admin: '$WM_API_KEY_ADMIN',
    write: '$WM_API_KEY_WRITE',
    read: '$WM_API_KEY_READ',
    revoked: '$WM_API_KEY_REVOKED',
    other: '$WM_API_KEY_OTHER_WORKSPACE',
  };
  for (const role of Object.keys(names) as Role[]) redactor.know(keys[role], names[role]);
};

/** With a control API, keys that were not given are made. Returns those to revoke at the end. */
export const provision = async (control: Control, keys: Keys): Promise<string[]> => {
  const made: string[] = [];
  const known = await control.keys();
  const first = known.find((key) => key.scope === 'admin') ?? known[0];
  if (!first) return made;
  const mint = async (role: Role, from: { workspace_id: string; user_id: string }, scope: string) => {
    const key = await control.createKey(from.workspace_id, scope, from.user_id);
    keys[role] = key.value;
    made.push(key.id);
    return key;
  };
  const given = keys.admin ?? keys.write ?? keys.read;
  const home = (given && (await control.keys()).find((key) => key.value === given)) || first;
  if (!given) for (const scope of ['admin', 'write', 'read'] as const) await mint(scope, home, scope);
  if (!keys.revoked) await control.revokeKey((await mint('revoked', home, 'write')).id);
  const foreign = known.find((key) => key.workspace_id !== home.workspace_id);
  if (!keys.other && foreign) await mint('other', foreign, 'write');
  return made;
};

export const openControl = async (fetch: Fetch, options: ContractOptions): Promise<Control | undefined> => {
  if (!options.controlUrl) return undefined;
  const control = new Control(fetch, options.controlUrl, options.controlToken);
  try {
    await control.health();
  } catch (cause) {
    throw new RunError(`no control API at ${options.controlUrl}: ${reasonOf(cause)}`);
  }
  return control;
};

/** Proves that the target is the service and that each key is accepted. @throws RunError in one clear sentence. */
export const checkKeys = async (client: Client, keys: Keys, main: Role): Promise<void> => {
  for (const role of ['write', 'admin', 'read', 'other'] as const) {
    if (!keys[role]) continue;
    const x = await client.send('GET', '/users/me', { as: role });
    if (x.status === 401)
      throw new RunError(`the ${role} key is refused with 401: is it a key of this service, and not revoked?`);
    if (role !== main) continue;
    if (x.status >= 300 && x.status < 400)
      throw new RunError(`GET /users/me answers ${x.status}: the base URL redirects; give the final one`);
    if (!succeeded(x) || idOf(resource(x)) === undefined) {
      throw new RunError(
        `GET /users/me answers ${x.status} and no profile: this is not the Work-Management API, or not its base URL`,
      );
    }
  }
};

/** Two answers that differ as a profile and a list differ prove that somebody is there. */
export const checkMembers = async (client: Client, main: Role): Promise<readonly Json[]> => {
  const x = await client.send('GET', '/workspace/members?limit=100', { as: main });
  if (succeeded(x) && records(x).length === 0 && !Array.isArray(isRecord(x.json) ? x.json.items : x.json)) {
    throw new RunError('GET /workspace/members answers no list: this is not the Work-Management API, or not its base URL');
  }
  return records(x);
};

/** Two keys that see the same members are keys of one workspace. */
export const checkOther = async (client: Client, own: readonly Json[]): Promise<void> => {
  const others = records(await client.send('GET', '/workspace/members?limit=100', { as: 'other' }));
  const set = new Set(own.map((member) => String(member.id)));
  if (own.length > 0 && own.length === others.length && others.every((member) => set.has(String(member.id)))) {
    throw new RunError('the other-workspace key sees the members of the same workspace: give a key of a second workspace');
  }
};

/** The task that was named must be there: else six requirements on comments would fail for one wrong id. */
export const checkFixture = async (client: Client, main: Role, task: string | undefined): Promise<void> => {
  if (task === undefined) return;
  const path = `/tasks/${encodeURIComponent(task)}`;
  const missing = async (below: string) => (await client.send('GET', path + below, { as: main })).status === 404;
  if (!(await missing('/comments?limit=1')) || !(await missing(''))) return;
  throw new RunError(`the task with comments, ${task}, answers 404: give the id of a task of the keys' workspace`);
};
