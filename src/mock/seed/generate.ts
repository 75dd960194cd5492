// Realistic work on top of what a seed file says, a function of its random seed.
import type { Priority, Status, Visibility } from '../../service/contract/states.ts';
import type { Random } from '../../service/world/random.ts';
import { BLANKS, type Records } from '../../service/world/records.ts';
import { momentText } from '../../service/world/time.ts';
import type { WorkRecords } from './complete-work.ts';
import type { WorkspaceFile } from './format.ts';
import { makeUnique, pickOne, randomFor } from './missing-values.ts';
import type { PausableWork } from './pausable-work.ts';
import { peopleMaker } from './people.ts';
import { Phrases } from './phrases.ts';
import type { SeedContext } from './seed-context.ts';
import { TEAM_NAMES } from './words.ts';

type Weights<T extends string> = Readonly<Record<T, number>>;

const STATUS: Weights<Status> = { backlog: 0.22, todo: 0.2, in_progress: 0.16, in_review: 0.1, done: 0.32 };
const PRIORITY: Weights<Priority> = { low: 0.2, medium: 0.5, high: 0.22, urgent: 0.08 };
const VISIBILITY: Weights<Visibility> = { private: 0.25, team: 0.6, public: 0.15 };
const ASSIGNED = 0.85;
const DATED = 0.7;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days from now on which tasks fall due, and how old projects are. */
const DUE = { from: -21, to: 45 };
const AGE = { from: 400, to: 14 };

const weighted = <T extends string>(weights: Weights<T>) => {
  const entries = Object.entries(weights) as [T, number][];
  return (random: Random, stream: string): T => {
    let left = random.fraction(stream);
    for (const [value, weight] of entries) {
      left -= weight;
      if (left < 0) return value;
    }
    return entries[0]![0];
  };
};
const status = weighted(STATUS);
const priority = weighted(PRIORITY);
const visibility = weighted(VISIBILITY);

const between = (random: Random, stream: string, from: number, to: number): number =>
  Math.floor(from + random.fraction(stream) * (to - from));

/** A moment on the hour, in working hours; not before the day after creation. */
const dueDate = (random: Random, now: number, created: number): string | null => {
  if (random.fraction('dated') >= DATED) return null;
  const day = Math.max(now + between(random, 'due', DUE.from, DUE.to + 1) * DAY, created + DAY);
  return momentText(day - (((day % DAY) + DAY) % DAY) + between(random, 'hour', 9, 18) * HOUR);
};

function* generateWork(
  making: SeedContext,
  random: Random,
  wanted: Counts,
  users: readonly Records['users'][],
): PausableWork<WorkRecords> {
  const { now, ids } = making;
  const phrases = new Phrases(random);
  const members = users.filter(({ state }) => state === 'joined');
  const people = members.length > 0 ? members : users;
  const person = (stream: string) => pickOne(random, stream, people).id;
  const touched = (stream: string, created: number) =>
    random.fraction(stream) < 0.4 ? created : between(random, `${stream} at`, created, now);
  const projects: Records['projects'][] = [];
  const tasks: Records['tasks'][] = [];
  const comments: Records['comments'][] = [];
  for (let p = 0; p < wanted.projects; p++) {
    yield;
    const { name, domain } = phrases.project(p);
    const project_id = ids.make(random, 'projects');
    const begun = between(random, 'project', now - AGE.from * DAY, now - AGE.to * DAY);
    projects.push({
      ...BLANKS.projects,
      id: project_id,
      name,
      description: phrases.description(),
      visibility: visibility(random, 'visibility'),
      owner_id: person('owner'),
      created_at: momentText(begun),
      updated_at: momentText(touched('project touched', begun)),
    });
    for (let t = 0; t < wanted.tasks_per_project; t++) {
      const id = ids.make(random, 'tasks');
      yield;
      const created = between(random, 'task', begun, now);
      tasks.push({
        ...BLANKS.tasks,
        id,
        project_id,
        title: phrases.title(domain),
        description: phrases.description(),
        assignee_id: random.fraction('assigned') < ASSIGNED ? person('assignee') : null,
        due_date: dueDate(random, now, created),
        priority: priority(random, 'priority'),
        status: status(random, 'status'),
        created_at: momentText(created),
        updated_at: momentText(touched('task touched', created)),
      });
      for (let c = 0; c < wanted.comments_per_task; c++) {
        const created_at = momentText(between(random, 'comment at', created, now));
        comments.push({
          ...BLANKS.comments,
          id: ids.make(random, 'comments'),
          task_id: id,
          author_id: person('author'),
          body: phrases.comment(),
          created_at,
        });
      }
    }
  }
  return { projects, tasks, comments };
}

const generateTeams = (
  making: SeedContext,
  random: Random,
  count: number,
  users: readonly Records['users'][],
  taken: Set<string>,
) =>
  Array.from({ length: count }, (_, n): Records['teams'] => {
    const members = Array.from({ length: between(random, 'team size', 2, 9) }, () => pickOne(random, 'member', users).id);
    const created_at = momentText(between(random, 'team', making.now - AGE.from * DAY, making.now));
    return {
      ...BLANKS.teams,
      id: making.ids.make(random, 'teams'),
      name: makeUnique(taken, (suffix) => TEAM_NAMES[n % TEAM_NAMES.length] + suffix, ' '),
      member_ids: [...new Set(members)],
      created_at,
      updated_at: created_at,
    };
  });

type Counts = Readonly<Record<'users' | 'projects' | 'tasks_per_project' | 'comments_per_task' | 'teams', number>>;

/** What generates a workspace's data: first its people, then their work. */
export interface Generator {
  readonly users: () => readonly Records['users'][];
  /** @param taken team names that the file gives. */
  readonly work: (
    users: readonly Records['users'][],
    taken: Set<string>,
  ) => PausableWork<WorkRecords & { readonly teams: readonly Records['teams'][] }>;
}

export type Generate = (making: SeedContext, workspace: string, wanted: Partial<Counts>) => Generator;

const NOTHING: Counts = { users: 0, projects: 0, tasks_per_project: 0, comments_per_task: 0, teams: 0 };

/** Loads what generates for these workspaces. */
export const createGenerator = async (workspaces: readonly WorkspaceFile[]): Promise<Generate> => {
  const people = workspaces.some(({ generate }) => generate?.users) ? await peopleMaker() : undefined;
  return (making, workspace, wanted) => {
    const random = randomFor(making.randomSeed, `generate ${workspace}`);
    const counts = { ...NOTHING, ...wanted };
    return {
      users: () => people?.(making, random, workspace, counts.users) ?? [],
      *work(all, taken) {
        return {
          ...(yield* generateWork(making, random, counts, all)),
          teams: generateTeams(making, random, counts.teams, all, taken),
        };
      },
    };
  };
};
