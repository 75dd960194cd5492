// Others in a staging: users of both workspaces, guests who come and go, runs that crashed or continue elsewhere.
import { between, pick, type Roll } from '../engine/dice.ts';
import { type Loose, parse } from './operators/exchange.ts';
import { NORTH, SOUTH } from './reference/world.ts';
import { isApi, type Layer, type Stage } from './staging.ts';

/** A user who uses a workspace with a key of their own, straight at the server. */
class Client {
  readonly #stage: Stage;
  readonly #key: string;
  readonly #made: string[] = [];
  #count = 0;

  constructor(stage: Stage, key: string) {
    this.#stage = stage;
    this.#key = key;
  }

  async call(method: string, path: string, body?: object): Promise<Loose> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}` };
    if (body) headers['content-type'] = 'application/json';
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await this.#stage.direct(`${this.#stage.options.baseUrl}${path}`, init);
    return parse(await response.text());
  }

  async #create(path: string, body: object): Promise<void> {
    const id = (await this.call('POST', path, body))?.data?.id;
    const home = path === '/projects' || path === '/teams' ? path : '/tasks';
    if (id) this.#made.push(`${home}/${encodeURIComponent(id)}`);
  }

  /** Does one thing more. */
  async act(roll: Roll): Promise<void> {
    const name = pick(['Roadmap', 'w', 'é', 'wmct notes', 'wm task', 'Ideas'], roll) + (roll() < 0.8 ? ` ${this.#count++}` : '');
    const projects = this.#made.filter((path) => path.startsWith('/projects/'));
    const chance = roll();
    const one = this.#made.length > 0 ? pick(this.#made, roll) : undefined;
    if (chance < 0.25) return this.#create('/projects', { name, visibility: pick(['private', 'team', 'public'], roll) });
    if (chance < 0.35) return this.#create('/teams', { name });
    if (chance < 0.65 && projects.length > 0)
      return this.#create(`${pick(projects, roll)}/tasks`, {
        ...{ title: name, status: pick(['todo', 'in_review', 'done'], roll), priority: pick(['low', 'medium', 'urgent'], roll) },
        due_date: `2031-01-${10 + Math.floor(roll() * 20)}T10:00:00Z`,
      });
    if (chance < 0.8 && one && !one.startsWith('/teams/'))
      return this.call('PATCH', one, { description: `changed ${this.#count++}` });
    if (!one || (chance <= 0.9 && this.#made.length <= 20)) return this.call('GET', '/tasks?limit=5');
    this.#made.splice(this.#made.indexOf(one), 1);
    return this.call('DELETE', one);
  }

  /** The names of all projects, teams and tasks. */
  async names(): Promise<string[]> {
    const names: string[] = [];
    for (const path of ['/projects', '/teams', '/tasks'])
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const list = await this.call('GET', `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        names.push(...(list?.items ?? []).map((item: Loose) => String(item.name ?? item.title)));
        cursor = list?.meta?.next_cursor || undefined;
      }
    return names;
  }
}

const clients = (stage: Stage) => [new Client(stage, stage.keys.admin), new Client(stage, stage.keys.other)] as const;

/** Others use both workspaces, a few calls before some of ours. */
export const traffic = (share: number, roll: Roll): Layer => {
  let others: ReturnType<typeof clients> | undefined;
  return async (next, url, init, stage) => {
    others ??= clients(stage);
    if (isApi(url) && roll() < share) for (let n = between(1, 3, roll); n > 0; n--) await others[roll() < 0.85 ? 0 : 1].act(roll);
    return next(url, init);
  };
};

/** Guests join and leave; those who were there stay. */
export const people = (roll: Roll): Layer => {
  let count = 0;
  return async (next, url, init, { store }) => {
    const workspace = roll() < 0.8 ? NORTH : SOUTH;
    if (!store || !isApi(url) || roll() >= 0.03) return next(url, init);
    const guests = store.memberships.filter((each) => each.role === 'passing' && each.workspace === workspace);
    // The fate of a team whose member leaves is open, so such a guest stays.
    const free = guests.filter(({ user }) => !store.teams.some(({ members }) => members.includes(user)));
    if (free.length > 0 && (guests.length > 2 || roll() < 0.4))
      store.memberships.splice(store.memberships.indexOf(pick(free, roll)), 1);
    else if (guests.length < 10) {
      const id = `passing-${count++}`;
      const email = `${id}@example.test`;
      store.users.push({ id, name: `Guest ${id}`, email, avatar: `https://cdn.example.test/${id}.png`, created: 0 });
      store.memberships.push({ workspace, user: id, role: 'passing' });
    }
    return next(url, init);
  };
};

const HOUR = 3600;
const named = (host: string, pid: number, ago: number) =>
  `wmct-${host}-${pid}-${Math.floor(Date.now() / 1000) - ago}-${'c0ffee'}`;
/** Runs: one of this machine that crashed, an old one, a live one, and an old one that is live. */
const RUNS = {
  dead: named('aaaaaa', 99, 60),
  old: named('cccccc', 7, 5 * HOUR),
  live: named('cccccc', 7, 60),
  long: named('dddddd', 7, 5 * HOUR),
};

/** Things of other runs in both workspaces, and tasks in a project of another client. */
export const leaveBehind = async (stage: Stage): Promise<void> => {
  const scatter = async (run: string) => {
    const project = async (space: Client, name: string, title: string) => {
      const made = await space.call('POST', '/projects', { name, visibility: 'team' });
      await space.call('POST', `/projects/${encodeURIComponent(made.data.id)}/tasks`, { title });
    };
    for (const [i, space] of clients(stage).entries()) {
      await project(space, `${run}-main`, `${run} task`);
      await space.call('POST', '/teams', { name: `${run}-team` });
      if (i === 0) await project(space, `Of others ${run.slice(5, 11)}`, `${run} strayed`);
    }
  };
  await scatter(RUNS.old);
  await stage.time.sleep(3 * HOUR * 1000);
  for (const run of [RUNS.dead, RUNS.live, RUNS.long]) await scatter(run);
  await stage.time.sleep(61_000);
};

/** Records that a run must have removed, and others that it must not. */
export const lookBehind = async (stage: Stage): Promise<string[]> => {
  const { options, runs } = stage.plan;
  const problems: string[] = [];
  await stage.time.sleep(61_000);
  for (const [i, client] of clients(stage).entries()) {
    const space = i === 0 ? 'first' : 'second';
    const names = await client.names();
    const count = (run: string) => names.filter((name) => name.startsWith(run)).length;
    for (const run of [RUNS.dead, RUNS.old])
      if (options.profile !== 'read-only' && count(run) > 0)
        problems.push(`${count(run)} things of ${run} stay in the ${space} workspace`);
    // A run before may have put the clock forward by hours: then the long one is over, too.
    for (const run of runs === 'one after another' ? [RUNS.live] : [RUNS.live, RUNS.long])
      if (count(run) < (i === 0 ? 4 : 3)) problems.push(`things of ${run}, a live run, are gone from the ${space} workspace`);
    const own = names.filter((name) => name.startsWith('wmct-') && !Object.values(RUNS).some((run) => name.startsWith(run)));
    if (own.length > 0) problems.push(`the run left ${own.length} things in the ${space} workspace: ${own[0]}`);
  }
  return problems;
};
