// Before the first check: where the target is, what a control API adds, whether a fixture is there.
import type { Client } from './client.ts';
import { Control } from './control.ts';
import type { ContractOptions } from './options.ts';
import { reasonOf } from './reason.ts';
import type { Receiver } from './receiver.ts';
import type { Redactor } from './redact.ts';
import type { Fetch, Role } from './terms.ts';
import { RunError } from './terms.ts';

export type Keys = { [R in Role]?: string | undefined };

const LOOPBACK = /^((.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f\w\w:\w+\])$/;

export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

export const checkedBase = (baseUrl: string): string => {
  const base = baseUrl.replace(/\/+$/, '');
  const wrong = (why: string) => new RunError(`the base URL ${why}: "${baseUrl}". Give one such as https://api.example.com/v1`);
  if (!URL.canParse(base)) throw wrong('is no URL');
  const { protocol, username, password, pathname } = new URL(base);
  if (protocol !== 'https:' && protocol !== 'http:') throw wrong('must begin with https:// or http://');
  if (username || password) throw wrong('must hold no user name and no password, which --header can send');
  if (!/\/v1$/.test(pathname)) throw wrong('must end in /v1');
  if (/[?#]/.test(base)) throw wrong('must hold no query: --header can send a token');
  return base;
};

/** The variable that holds the key of a role. */
export const VARIABLES: Readonly<Record<Role, string>> = {
  admin: 'WM_API_KEY_ADMIN',
  write: 'WM_API_KEY_WRITE',
  read: 'WM_API_KEY_READ',
  revoked: 'WM_API_KEY_REVOKED',
  other: 'WM_API_KEY_OTHER_WORKSPACE',
};

export const knowKeys = (keys: Keys, redactor: Redactor): void => {
  for (const role of Object.keys(VARIABLES) as Role[]) redactor.know(keys[role], `$${VARIABLES[role]}`);
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

/** Begins to receive. @returns the URL in front of the receiver's paths @throws RunError when the port is taken, by another run for one */
export const openReceiver = async (receiver: Receiver, port = 0): Promise<string> => {
  try {
    return await receiver.listen(port);
  } catch (cause) {
    const { code, message } = cause as { code?: string; message?: string };
    throw new RunError(
      `no receiver on port ${port}: ${code === 'EADDRINUSE' ? 'another process listens there, which may be another run' : message}. ` +
        'Give another --receiver-port, or wait for its end (contract-tests/README.md of the repository, Verdicts and exit statuses)',
    );
  }
};

/** The task that was named must be there: else six requirements on comments would fail for one wrong id. */
export const checkFixture = async (client: Client, main: Role, task: string | undefined): Promise<void> => {
  if (task === undefined) return;
  const path = `/tasks/${encodeURIComponent(task)}`;
  const missing = async (below: string) => (await client.send('GET', path + below, { as: main })).status === 404;
  if (!(await missing('/comments?limit=1')) || !(await missing(''))) return;
  throw new RunError(`the task with comments, ${task}, returns 404: give the id of a task of the keys' workspace`);
};
