// Realistic work on top of what a seed file says, a function of its random seed.
import type { Priority, Status, Visibility } from '../../service/contract/states.ts';
import type { Random } from '../../service/world/random.ts';
import { BLANKS, type Records, type WorkspaceSeed } from '../../service/world/records.ts';
import { momentText } from '../../service/world/time.ts';
import type { WorkspaceFile } from './format.ts';
import type { PausableWork } from './pausable-work.ts';
import { WORDS } from './phrases.generated.ts';
import { Phrases } from './phrases.ts';
import { hostOf, makeUnique, pickOne, randomFor, type SeedContext, slug } from './seed-context.ts';

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
/** They joined this many days before now. */
const JOINED = { first: 800, last: 420 };

const makeDraw = <T extends string>(weights: Weights<T>) => {
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
const drawStatus = makeDraw(STATUS);
const drawPriority = makeDraw(PRIORITY);
const drawVisibility = makeDraw(VISIBILITY);

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
  const { now, makeId } = making;
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
    const project_id = makeId(random, 'projects');
    const begun = between(random, 'project', now - AGE.from * DAY, now - AGE.to * DAY);
    projects.push({
      ...BLANKS.projects,
      id: project_id,
      name,
      description: phrases.description(),
      visibility: drawVisibility(random, 'visibility'),
      owner_id: person('owner'),
      created_at: momentText(begun),
      updated_at: momentText(touched('project touched', begun)),
    });
    for (let t = 0; t < wanted.tasks_per_project; t++) {
      const id = makeId(random, 'tasks');
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
        priority: drawPriority(random, 'priority'),
        status: drawStatus(random, 'status'),
        created_at: momentText(created),
        updated_at: momentText(touched('task touched', created)),
      });
      for (let c = 0; c < wanted.comments_per_task; c++) {
        const created_at = momentText(between(random, 'comment at', created, now));
        comments.push({
          ...BLANKS.comments,
          id: makeId(random, 'comments'),
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
      id: making.makeId(random, 'teams'),
      name: makeUnique(taken, (suffix) => WORDS.team_names[n % WORDS.team_names.length] + suffix, ' '),
      member_ids: [...new Set(members)],
      created_at,
      updated_at: created_at,
    };
  });

/** Loads what makes people; then makes as many as asked in one go. */
const peopleMaker = async () => {
  const { faker: shared } = await import('@faker-js/faker/locale/en');
  // An instance of our own: seeding the shared one would change what others in this process draw from it.
  const Faker = shared.constructor as new (options: { locale: typeof shared.rawDefinitions }) => typeof shared;
  const faker = new Faker({ locale: shared.rawDefinitions });
  return (making: SeedContext, random: Random, workspace: string, count: number): Records['users'][] => {
    faker.seed(random.bits('faker'));
    const host = hostOf(workspace);
    return Array.from({ length: count }, (): Records['users'] => {
      const id = making.makeId(random, 'users');
      const name = `${faker.person.firstName()} ${faker.person.lastName()}`;
      const age = (JOINED.last + random.fraction('user age') * (JOINED.first - JOINED.last)) * DAY;
      return {
        ...BLANKS.users,
        id,
        name,
        email: making.createEmail(name, id, host),
        role: random.fraction('role') < 0.1 ? 'admin' : 'member',
        avatar_url: random.fraction('avatar') < 0.8 ? `https://${host}/people/${slug(name)}.png` : null,
        created_at: momentText(making.now - age),
      };
    });
  };
};

type Counts = Readonly<Record<'users' | 'projects' | 'tasks_per_project' | 'comments_per_task' | 'teams', number>>;

export type WorkRecords = { readonly [N in 'projects' | 'tasks' | 'comments']: readonly Records[N][] };

/** Generates a workspace's people, then what makes their work. */
export type Generate = (
  making: SeedContext,
  workspace: string,
  wanted: Partial<Counts>,
) => {
  readonly users: readonly Records['users'][];
  /** @param taken team names that the file gives. */
  work(users: readonly Records['users'][], taken: Set<string>): PausableWork<WorkRecords & Pick<WorkspaceSeed, 'teams'>>;
};

const NOTHING: Counts = { users: 0, projects: 0, tasks_per_project: 0, comments_per_task: 0, teams: 0 };

/** Loads what generates for these workspaces. */
export const createGenerator = async (workspaces: readonly WorkspaceFile[]): Promise<Generate> => {
  const people = workspaces.some(({ generate }) => generate?.users) ? await peopleMaker() : undefined;
  return (making, workspace, wanted) => {
    const random = randomFor(making.randomSeed, `generate ${workspace}`);
    const counts = { ...NOTHING, ...wanted };
    return {
      users: people?.(making, random, workspace, counts.users) ?? [],
      *work(users, taken) {
        const work = yield* generateWork(making, random, counts, users);
        return { ...work, teams: generateTeams(making, random, counts.teams, users, taken) };
      },
    };
  };
};
