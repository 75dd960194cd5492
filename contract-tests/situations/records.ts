// The records that rows name: made once, when a row first needs one.

import { ids, type Json, records, resource, text } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import type { Ids } from '../engine/scene.ts';
import type { Tools } from '../engine/tools.ts';
import { ODD } from '../engine/world.ts';
import { hookUrl, REFUSED } from '../stories/registrations.ts';

export type { Ids } from '../engine/scene.ts';

export const none: Ids = { project: 'wmct-no-project', task: `wmct-no-task-${'0'.repeat(60)}`, team: 'wmct-no-team' };

export const pathOf = (operation: Operation, { project, task, team }: Ids): string =>
  operation.path
    .replace('{project_id}', encodeURIComponent(project))
    .replace('{task_id}', encodeURIComponent(task))
    .replace('{team_id}', encodeURIComponent(team));

/** A body that is accepted of those who may, and would be seen if it took effect. @param hook where a registration would lead */
export const bodyOf = (t: Tools, operation: Operation, hook: string = REFUSED): Json | undefined => {
  if (operation.id === 'create_task') return { title: t.name(`intruder-${++t.parts.scene.intruders}`) };
  // A message to it shows that a refused registration was made.
  if (operation.id === 'create_webhook')
    return { url: t.parts.receiver ? hookUrl(t, hook) : 'https://hooks.example.com/wmct', events: ['task.deleted'] };
  if (operation.method === 'POST') return { name: t.name(`intruder-${++t.parts.scene.intruders}`) };
  if (operation.method !== 'PATCH') return undefined;
  const description = `intruder ${++t.parts.scene.intruders}`;
  return operation.id === 'update_task' ? { description, title: description } : { description };
};

/** Reads, then what changes, then what deletes: a target that lets one through spoils no other. */
export const inOrder = (list: readonly Operation[]): readonly Operation[] => {
  const rank = ({ method, id }: Operation) =>
    method === 'GET' ? 0 : method === 'POST' ? 1 : method === 'PATCH' ? 2 : id === 'delete_project' ? 4 : 3;
  return [...list].sort((a, b) => rank(a) - rank(b));
};

/** A team's name that only a careless comparison takes for another of this run; another one where it is taken. */
export const nameOfVictim = (t: Tools): string => `${t.name('shared')} <B> &amp; %41 É 😀!${t.parts.scene.taken ? '!' : ''}`;

const victim = async (t: Tools): Promise<Ids> => {
  const { scene } = t.parts;
  if (scene.victim) return scene.victim;
  const { members } = await t.world();
  const as = t.strong;
  // Another project of ours has its name.
  const project = await t.project('aside', { as }, 'public');
  // A read key has no more right to what is its own user's.
  const reader = t.has('read') ? text(resource(await t.get('/users/me', { as: 'read' })).id) : undefined;
  const fields = {
    title: t.name('victim'),
    description: 'untouched',
    status: 'in_review',
    priority: 'urgent',
    assignee_id: reader ?? members[0],
    due_date: '2041-05-06T07:08:09Z',
  };
  const task = await t.task(encodeURIComponent(project), fields, { as });
  const name = scene.heir === undefined ? nameOfVictim(t) : t.name('victim');
  const team = t.knows('1.2') ? (await t.team({ name, member_ids: members.slice(0, 1) })).id : none.team;
  scene.victim = { project, task, team };
  return scene.victim;
};

/** A record of the shared world by its name in a row; undefined when there is none. */
const inWorld = async (t: Tools, name: string): Promise<string | undefined> => {
  const { mainId, sideId, tasks, sideTasks, members } = await t.world();
  const nth = /^([ts])(\d+)$/.exec(name);
  if (nth) return text((nth[1] === 't' ? tasks : sideTasks)[Number(nth[2])]?.got.id);
  if (name === 'foreigner') {
    const theirs = t.has('other') ? ids(records(await t.membersOfOther())) : [];
    return theirs.find((id) => !members.includes(id));
  }
  return { main: mainId, side: sideId, member: members[0], member1: members[1], last: members.at(-1) }[name];
};

const REQUIRES_12 = new Set(['team', 'heir', 'victim.team']);

/** The first record that a list shows. */
const firstOf = async (t: Tools, list: string): Promise<string | undefined> => {
  if (list === 'teams' && !t.knows('1.2')) return undefined;
  return text(records(await t.get(`/${list}?limit=${t.smallestLimit}`))[0]?.id);
};

/** A limit by which a list has three pages, so that there are a first, a middle and a last one; or one that is full. */
const limitOf = (t: Tools, list: string, whole: boolean): string | undefined => {
  const total =
    t.parts.scene.asked.total(list) ?? (list === 'list_members' ? t.parts.oracle.workspace('own').members?.size : undefined);
  if (whole) return total && total <= 100 ? String(total) : undefined;
  return String(Math.min(100, Math.max(t.smallestLimit, Math.ceil((total ?? 6) / 3))));
};

/** The beginning of an id, when it is no id itself. */
const partOf = async (t: Tools, name: string, length: number): Promise<string | undefined> => {
  const [id, { members }] = [await inWorld(t, name), await t.world()];
  const part = id?.slice(0, length);
  return part && !members.includes(part) ? part : undefined;
};

/** The value of a name in a row. */
export const meaningOf = async (t: Tools, name: string): Promise<string | undefined> => {
  const [whose, kind] = name.split('.');
  if (REQUIRES_12.has(name) && !t.knows('1.2')) return undefined;
  if (name === 'run') return t.parts.runName;
  if (name === 'odd') return ODD;
  if (name === 'long') return 'w'.repeat(300);
  if (name === 'nobody') return t.unusedId();
  if (name === 'team') return t.sharedTeam();
  if (name === 'heir' || name === 'commented') return t.parts.scene[name];
  if (whose === 'victim') return (await victim(t))[kind as keyof Ids];
  if (whose === 'theirs')
    return [...t.parts.oracle.workspace('other').entries.values()].find((one) => one.kind === kind && !one.gone)?.id;
  if (whose === 'first') return firstOf(t, kind!);
  if (whose === 'third' || whose === 'whole') return limitOf(t, kind!, whose === 'whole');
  if (kind === 'part') return partOf(t, whose!, -1);
  if (kind === 'upper') {
    const id = await inWorld(t, whose!);
    return id === id?.toUpperCase() ? id?.toLowerCase() : id?.toUpperCase();
  }
  if (kind === 'start') return partOf(t, whose!, 2);
  return inWorld(t, name);
};
