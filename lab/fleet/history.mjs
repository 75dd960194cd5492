// A history of requests, and what it says of a service: each line is one request with its begin, its end and its outcome.
import { createWriteStream, readFileSync } from 'node:fs';

export class History {
  #stream;
  acknowledged = 0;
  failed = 0;

  constructor(file) {
    this.file = file;
    this.#stream = createWriteStream(file);
  }

  /** @param event `{ world, op, id?, title?, begin, end, status, … }`; times in milliseconds, status 0: no answer */
  add(event) {
    if (CHANGES.includes(event.op)) {
      if (isAcknowledged(event)) this.acknowledged += 1;
      else this.failed += 1;
    }
    this.#stream.write(`${JSON.stringify(event)}\n`);
  }

  close() {
    return new Promise((done) => this.#stream.end(done));
  }
}

const CHANGES = ['create', 'update', 'delete'];
const isAcknowledged = ({ status }) => status >= 200 && status < 300;
/** Without an answer, or with one that promises nothing, it may have happened. */
const isOpen = ({ status }) => status === 0 || status >= 500;

export const readHistory = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** What is known of one task that was acknowledged. */
class Task {
  updates = [];
  deletes = [];

  constructor({ title, begin, end }) {
    this.title = title;
    this.begin = begin;
    this.end = end;
  }

  /** The titles that it may have when a request that began at `at` is answered: the last one acknowledged, and what may have happened. */
  titles(at = Number.POSITIVE_INFINITY) {
    const before = this.updates.filter(({ begin }) => begin <= at);
    const last = before.filter((update) => isAcknowledged(update) && update.end <= at).at(-1);
    return [last?.title ?? this.title, ...before.filter((update) => !isAcknowledged(update)).map(({ title }) => title)];
  }

  /** Whether it may be shown so at the end, or not at all where there is no title. */
  mayEndAs(title) {
    if (title === undefined) return this.deletes.length > 0;
    return !this.deletes.some(isAcknowledged) && this.titles().includes(title);
  }
}

const judgeReads = (events, tasks, problems) => {
  for (const { world, id, title, status, begin } of events.filter(({ op }) => op === 'read')) {
    const task = tasks.get(id);
    if (status === 404 && task.deletes.length === 0) problems.push(`${world}: ${id} is not read, and nobody deleted it`);
    if (status === 200 && !task.titles(begin).includes(title))
      problems.push(`${world}: ${id} is read as ${title}; it may be ${task.titles(begin).join(' or ')}`);
  }
};

/** A walk over the pages of a list sees each task once, if it was there all the time. */
const judgeWalks = (events, tasks, problems) => {
  for (const { world, ids, begin, end } of events.filter(({ op }) => op === 'walk')) {
    const seen = new Set(ids);
    if (seen.size !== ids.length) problems.push(`${world}: the pages of a walk repeat ${ids.length - seen.size} tasks`);
    for (const [id, task] of tasks) {
      if (task.end < begin && !task.deletes.some((one) => one.begin < end) && !seen.has(id))
        problems.push(`${world}: the pages of a walk skip ${id}`);
      if (seen.has(id) && task.deletes.some((one) => isAcknowledged(one) && one.end < begin))
        problems.push(`${world}: the pages of a walk show ${id}, which was deleted`);
    }
  }
};

const judgeEnd = (world, there, tasks, open, counts, problems) => {
  const ids = there.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) problems.push(`${world}: the pages of the last walk repeat tasks`);
  const found = new Map(there.map((task) => [task.id, task.title]));
  for (const [id, task] of tasks) if (!task.mayEndAs(found.get(id))) counts.lost += 1;
  const created = new Map();
  for (const { id, title } of there) {
    if (tasks.has(id)) continue;
    created.set(title, (created.get(title) ?? 0) + 1);
    if (open.has(title)) counts.open += 1;
    else counts.twice += 1;
  }
  for (const times of created.values()) if (times > 1) counts.twice += times - 1;
};

/** @param ends the tasks of each world as the service shows them at the end @returns counts, and what is wrong */
export const judge = (events, ends) => {
  const problems = [];
  const none = { acknowledged: 0, unanswered: 0, refused: 0, walks: 0, lost: 0, twice: 0, open: 0, longest: 0 };
  const counts = { requests: events.length, ...none };
  for (const [world, there] of Object.entries(ends)) {
    const own = events.filter((event) => event.world === world);
    const tasks = new Map();
    const open = new Set();
    for (const event of own.filter(({ op }) => op === 'create')) {
      if (isAcknowledged(event)) tasks.set(event.id, new Task(event));
      else if (isOpen(event)) open.add(event.title);
    }
    for (const event of own.filter((one) => isAcknowledged(one) || isOpen(one)))
      if (event.op === 'update' || event.op === 'delete') tasks.get(event.id)[`${event.op}s`].push(event);
    judgeReads(own, tasks, problems);
    judgeWalks(own, tasks, problems);
    judgeEnd(world, there, tasks, open, counts, problems);
    const changes = own.filter(({ op }) => CHANGES.includes(op));
    counts.acknowledged += changes.filter(isAcknowledged).length;
    counts.unanswered += changes.filter(isOpen).length;
    counts.refused += changes.filter((event) => !isAcknowledged(event) && !isOpen(event)).length;
    counts.walks += own.filter(({ op }) => op === 'walk').length;
    const times = [...changes.filter(isAcknowledged), ...changes.slice(-1)].map(({ end }) => end);
    for (let i = 1; i < times.length; i++) counts.longest = Math.max(counts.longest, times[i] - times[i - 1]);
  }
  for (const what of ['lost', 'twice']) if (counts[what] > 0) problems.push(`${counts[what]} acknowledged changes ${what}`);
  if (counts.refused > 0) problems.push(`${counts.refused} changes were refused`);
  return { counts, problems };
};
