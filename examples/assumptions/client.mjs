// A client of the Work-Management API as teams write it. CLIENT=tolerant takes nothing for granted; without it, ten things are.
import { setTimeout as wait } from 'node:timers/promises';

const COLUMNS = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
const PROFILE = ['id', 'name', 'email', 'role', 'avatar_url', 'created_at'];

const fail = (what) => {
  throw new Error(what);
};

/** What a team takes for granted that has seen one service, on one day. */
const naive = {
  isUpdated: ({ status }) => status === 200,
  isUnset: (value) => value === null,
  time: (text) => (/\.\d{3}Z$/.test(text) ? new Date(text) : fail(`${text} is no time`)),
  isGone: (_, { code }) => code === 'not_found',
  column: (status) => (COLUMNS.includes(status) ? status : fail(`There is no column ${status}`)),
  profile: (data) => (Object.keys(data).every((field) => PROFILE.includes(field)) ? data : fail('That is no profile')),
  retries503: (path) => !path.endsWith('/comments'),
  retries429: (path) => path !== '/webhooks',
  oldestFirst: '',
  isNew: () => true,
};

/** What the specification says, and no more. */
const tolerant = {
  isUpdated: ({ ok }) => ok,
  isUnset: (value) => value === null || value === undefined,
  time: (text) => new Date(text),
  isGone: ({ status }) => status === 404,
  column: (status) => (COLUMNS.includes(status) ? status : 'other'),
  profile: (data) => data,
  retries503: () => true,
  retries429: () => true,
  oldestFirst: '?sort=created_at',
  isNew: (id, seen) => !seen.has(id),
};

const TURNS = 5;

export class Client {
  #base;
  #key;
  #does = process.env.CLIENT === 'tolerant' ? tolerant : naive;

  constructor(base, key) {
    this.#base = base;
    this.#key = key;
  }

  /** One request, and again where the service asks to come back later. */
  async #ask(method, path, body) {
    const headers = { authorization: `Bearer ${this.#key}`, ...(body && { 'content-type': 'application/json' }) };
    for (let turn = 1; ; turn++) {
      const response = await fetch(this.#base + path, { method, headers, body: body && JSON.stringify(body) });
      const { status } = response;
      const retried = (status === 503 && this.#does.retries503(path)) || (status === 429 && this.#does.retries429(path));
      if (!retried || turn === TURNS) return { response, said: status === 204 ? undefined : await response.json() };
      await wait(1000 * Number(response.headers.get('retry-after') ?? 2 ** turn));
    }
  }

  async #data(method, path, body) {
    const { response, said } = await this.#ask(method, path, body);
    if (!response.ok) throw Object.assign(new Error(`${method} ${path}: ${response.status}`), { status: response.status, said });
    return said?.data ?? said;
  }

  async #list(path) {
    const list = new URL(path, 'http://list');
    for (const all = []; ; ) {
      const { items, meta } = await this.#data('GET', list.pathname + list.search);
      all.push(...items);
      if (!meta.has_more) return all;
      list.searchParams.set('cursor', meta.next_cursor);
    }
  }

  me = async () => this.#does.profile(await this.#data('GET', '/users/me'));
  comments = (task) => this.#list(`/tasks/${task}/comments`);
  addProject = (name) => this.#data('POST', '/projects', { name });
  addTask = (project, task) => this.#data('POST', `/projects/${project}/tasks`, task);
  removeTask = (id) => this.#data('DELETE', `/tasks/${id}`);
  subscribe = (url) => this.#data('POST', '/webhooks', { url, events: ['task.created'] });

  async renameTask(id, title) {
    const { response, said } = await this.#ask('PATCH', `/tasks/${id}`, { title });
    return this.#does.isUpdated(response) ? said.data : fail(`The task was not renamed: ${response.status}`);
  }

  async isGone(id) {
    const { response, said } = await this.#ask('GET', `/tasks/${id}`);
    return !response.ok && (this.#does.isGone(response, said.error) || fail(`The task cannot be read: ${said.error.code}`));
  }

  /** Titles by column. */
  async board() {
    const board = new Map();
    for (const { status, title } of await this.#list('/tasks?limit=50')) {
      const column = this.#does.column(status);
      board.set(column, [...(board.get(column) ?? []), title]);
    }
    return board;
  }

  async newest(project) {
    const tasks = await this.#list(`/projects/${project}/tasks${this.#does.oldestFirst}`);
    return tasks.at(-1);
  }

  isDue = ({ due_date }) => !this.#does.isUnset(due_date);
  age = ({ created_at }) => Date.now() - this.#does.time(created_at).getTime();

  /** A handler of webhooks that tells of each new task. */
  notifier(tell) {
    const seen = new Set();
    return ({ id, data }) => {
      if (this.#does.isNew(id, seen)) tell(data.task.title);
      seen.add(id);
    };
  }
}
