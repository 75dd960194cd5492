// A client of the Work-Management API, as teams write it. CLIENT=mended keeps every duty; without it, eight are broken.
import { setTimeout as wait } from 'node:timers/promises';

const COLUMNS = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
const TURNS = 100;

const fail = (what) => {
  throw new Error(what);
};

/** Each member breaks a duty. */
const naive = {
  isUpdated: ({ status }) => status === 200,
  isGone: ({ code }) => code === 'not_found' || fail(`The task cannot be read: ${code}`),
  column: (status) => (COLUMNS.includes(status) ? status : fail(`There is no column ${status}`)),
  firstPage: '?limit=50&page=1',
  pageAfter: (id) => `/tasks?cursor=${btoa(id)}`,
  pauseMs: () => 20,
  isNew: () => true,
  isCurrent: () => true,
};

/** The same as the specification has it. */
const mended = {
  isUpdated: ({ ok }) => ok,
  isGone: () => true,
  column: (status) => (COLUMNS.includes(status) ? status : 'other'),
  firstPage: '?limit=50',
  pageAfter: () => undefined,
  pauseMs: ({ headers }) => Math.max(100, 1000 * Number(headers.get('x-ratelimit-reset')) - Date.now()),
  isNew: (id, seen) => !seen.has(id),
  isCurrent: (wanted, current) => wanted === current,
};
const does = process.env.CLIENT === 'mended' ? mended : naive;

export class Client {
  #base;
  #key;
  #wanted;
  /** The tasks that the user sees. */
  shown = [];

  constructor(base, key) {
    this.#base = base;
    this.#key = key;
  }

  /** One request, and again after 429; a read also after 503. */
  async #send(method, path, body) {
    const headers = { authorization: `Bearer ${this.#key}`, ...(body && { 'content-type': 'application/json' }) };
    for (let turn = 1; ; turn++) {
      const response = await fetch(this.#base + path, { method, headers, body: body && JSON.stringify(body) });
      const { status } = response;
      const isRetried = status === 429 || (status === 503 && method === 'GET');
      if (!isRetried || turn === TURNS) return { response, body: status === 204 ? {} : await response.json() };
      await wait(status === 429 ? does.pauseMs(response) : 200);
    }
  }

  async #data(method, path, given) {
    const { response, body } = await this.#send(method, path, given);
    return response.ok ? (body.data ?? body) : fail(`${method} ${path}: ${response.status}`);
  }

  async #list(path) {
    const list = new URL(path, 'http://list');
    for (const all = []; ; list.searchParams.delete('page')) {
      const { items, meta } = await this.#data('GET', list.pathname + list.search);
      all.push(...items);
      if (!meta.has_more) return all;
      list.searchParams.set('cursor', meta.next_cursor);
    }
  }

  addProject = (name) => this.#data('POST', '/projects', { name });
  addTask = (project, title) => this.#data('POST', `/projects/${project}/tasks`, { title });
  removeTask = (id) => this.#data('DELETE', `/tasks/${id}`);
  subscribe = (url) => this.#data('POST', '/webhooks', { url, events: ['task.created'] });

  async renameTask(id, title) {
    const { response, body } = await this.#send('PATCH', `/tasks/${id}`, { title });
    return does.isUpdated(response) ? body.data : fail(`The task was not renamed: ${response.status}`);
  }

  async isGone(id) {
    const { response, body } = await this.#send('GET', `/tasks/${id}`);
    return response.status === 404 && does.isGone(body.error);
  }

  /** Titles by column. */
  async board() {
    const board = new Map();
    for (const { status, title } of await this.#list(`/tasks${does.firstPage}`)) {
      const column = does.column(status);
      board.set(column, [...(board.get(column) ?? []), title]);
    }
    return board;
  }

  /** Tasks behind one. */
  async tasksAfter(id) {
    const page = does.pageAfter(id);
    const { response, body } = page ? await this.#send('GET', page) : {};
    if (response?.ok) return body.items;
    const all = await this.#list('/tasks?limit=100&sort=created_at');
    return all.slice(all.findIndex((task) => task.id === id) + 1);
  }

  /** Shows tasks of a priority, as it is typed. */
  async search(priority) {
    this.#wanted = priority;
    const found = await this.#list(`/tasks?limit=100&filter[priority]=${priority}`);
    if (does.isCurrent(priority, this.#wanted)) this.shown = found;
  }
}

/** A handler of webhooks that counts new tasks. */
export const createCounter = () => {
  const seen = new Set();
  const counter = { count: 0 };
  counter.handle = ({ id, event }) => {
    if (event === 'task.created' && does.isNew(id, seen)) counter.count += 1;
    seen.add(id);
  };
  return counter;
};
