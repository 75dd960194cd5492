// What a history says of a service: each event is one request, with its begin and end in milliseconds, and its status, 0 without a
// response. Changes (create, update, delete) have an id and a title; looks (read, walk) have the tasks that they were shown.

export const isChange = ({ op }) => ['create', 'update', 'delete'].includes(op);
export const isAcknowledged = ({ status }) => status >= 200 && status < 300;
/** Without a response, or with one that promises nothing, it may have happened. */
const isOpen = ({ status }) => status === 0 || status >= 500;
const NOT_YET = { begin: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY, status: 200 };

/** The titles that a task may have had between two moments; undefined: it may not have been there. */
const possibleTitles = (changes, begin, end) => {
  const begun = changes.filter((one) => one.begin <= end);
  const last = begun.findLast((one) => isAcknowledged(one) && one.end <= begin);
  if (last.op === 'delete') return [undefined];
  return [last, ...begun.filter((one) => isOpen(one) || one.end > begin)].map(({ title }) => title);
};

/** A look shows each task once, as it may have been meanwhile. One at a single task has its `id`. */
const judgeLook = ({ op, id: only, items, begin, end }, tasks) => {
  const shown = new Map(items.map(({ id, title }) => [id, title]));
  const problems = (only === undefined ? [...tasks.keys()] : [only]).flatMap((id) => {
    const possible = possibleTitles(tasks.get(id), begin, end);
    if (possible.includes(shown.get(id))) return [];
    return [`${op}: ${id} is ${shown.get(id)}; it may be ${possible.join(' or ')}`];
  });
  return shown.size === items.length ? problems : [...problems, `${op}: ${items.length - shown.size} tasks are repeated`];
};

/** @param ends the tasks of each world as the service shows them at the end @returns counts, and what is wrong */
export const judge = (events, ends) => {
  const problems = [];
  const none = { acknowledged: 0, unanswered: 0, refused: 0, walks: 0, lost: 0, twice: 0, open: 0, longest: 0 };
  const counts = { requests: events.length, ...none };
  for (const [world, items] of Object.entries(ends)) {
    const own = events.filter((event) => event.world === world);
    const changes = own.filter(isChange);
    const [acknowledged, open] = [changes.filter(isAcknowledged), changes.filter(isOpen)];
    const isCreate = ({ op }) => op === 'create';
    const tasks = new Map(acknowledged.filter(isCreate).map((event) => [event.id, [NOT_YET, event]]));
    for (const event of changes)
      if (!isCreate(event) && (isAcknowledged(event) || isOpen(event))) tasks.get(event.id).push(event);
    const looks = own.filter(({ items: seen }) => seen).flatMap((look) => judgeLook(look, tasks));
    const end = { op: 'at the end', items, begin: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
    const lost = judgeLook(end, tasks);
    problems.push(...[...looks, ...lost].map((says) => `${world}: ${says}`));
    const perhaps = new Set(open.filter(isCreate).map(({ title }) => title));
    for (const { id, title } of items) {
      if (tasks.has(id)) continue;
      if (perhaps.delete(title)) counts.open += 1;
      else counts.twice += 1;
    }
    counts.lost += lost.length;
    counts.acknowledged += acknowledged.length;
    counts.unanswered += open.length;
    counts.refused += changes.length - acknowledged.length - open.length;
    counts.walks += own.filter(({ op }) => op === 'walk').length;
    const times = [...acknowledged, ...changes.slice(-1)].map(({ end }) => end);
    for (let i = 1; i < times.length; i++) counts.longest = Math.max(counts.longest, times[i] - times[i - 1]);
  }
  for (const what of ['lost', 'twice', 'refused']) if (counts[what] > 0) problems.push(`${counts[what]} changes are ${what}`);
  return { counts, problems };
};
