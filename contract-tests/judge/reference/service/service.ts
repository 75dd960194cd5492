// The operations on people, teams and webhooks, and the way of a request through all steps.
import {
  type Answer,
  type Call,
  EVENT_NAMES,
  type Fields,
  type Hook,
  type Member,
  OPERATIONS,
  type Operation,
  Problem,
  type Row,
  type Team,
} from '../model.ts';
import { Operations } from './operations.ts';

export interface Route {
  readonly operation: Operation;
  readonly ids: Readonly<Record<string, string>>;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path variables when a path fits a pattern. */
const pathVariables = (pattern: string, path: string): Record<string, string> | undefined => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const ids: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const actual = given[index] ?? '';
    if (part.startsWith(':') && actual !== '') ids[part.slice(1)] = decoded(actual);
    else if (part !== actual) return undefined;
  }
  return ids;
};

export class Service extends Operations {
  // People

  profileOf(call: Call): string {
    return call.key?.user ?? '';
  }

  readMe(call: Call): Answer {
    const user = this.db.users.find(({ id }) => id === this.profileOf(call));
    if (!user) throw this.notFound(call, 'user');
    return this.single(this.showProfile(user, this.roleOf(user.id, call.workspace?.id ?? '') ?? 'member'), 'read');
  }

  memberRows(call: Call): readonly Row[] {
    const workspace = call.workspace?.id;
    return this.db.memberships
      .filter((each) => each.workspace === workspace)
      .flatMap((membership, nth): Member[] => {
        const user = this.db.users.find(({ id }) => id === membership.user);
        if (!user) return [];
        const { id, created } = user;
        return [{ id, workspace: membership.workspace, created, updated: created, nth, user, role: membership.role }];
      });
  }

  listMembers(call: Call): Answer {
    return this.list(call, {
      name: 'member',
      rows: () => this.memberRows(call),
      filters: [],
      show: (row: Member) => this.showMember(row),
    });
  }

  // Teams

  teamOf(call: Call): Team {
    const id = call.ids.team ?? '';
    const found = this.db.teams.find((each) => this.sameId(each.id, id, 'team') && this.sees(call, each, 'team'));
    if (!found) throw this.notFound(call, 'team');
    return found;
  }

  teamRows(call: Call): readonly Row[] {
    return this.db.teams.filter((each) => each.workspace === call.workspace?.id);
  }

  listTeams(call: Call): Answer {
    return this.list(call, {
      name: 'team',
      rows: () => this.teamRows(call),
      filters: [],
      show: (row: Team) => this.showTeam(row, 'row'),
    });
  }

  isNameTaken(name: string, call: Call, _ids: readonly string[]): boolean {
    return this.db.teams.some((each) => each.workspace === call.workspace?.id && each.name === name);
  }

  membersOfNew(values: Fields, call: Call): readonly string[] {
    const sent = (values.member_ids as string[] | undefined) ?? [];
    return this.style.creatorJoins ? [...new Set([call.key?.user ?? '', ...sent])] : sent;
  }

  createTeam(call: Call): Answer {
    const values = this.readFields(call, 'team', 'create');
    const members = this.membersOfNew(values, call);
    if (this.isNameTaken(values.name as string, call, members)) throw this.conflict(call);
    const now = this.now();
    const times = { created: now, updated: now };
    const workspace = call.workspace?.id ?? '';
    const team: Team = { id: this.newId('team'), workspace, name: values.name as string, members, ...times, nth: this.nextNth() };
    this.db.teams.push(team);
    return this.single(this.showTeam(team, 'created'), 'created', 201);
  }

  readTeam(call: Call): Answer {
    return this.single(this.showWholeTeam(this.teamOf(call)), 'read');
  }

  deleteTeam(call: Call): Answer {
    this.removeTeam(this.teamOf(call), call);
    return this.empty();
  }

  removeTeam(team: Team, _call: Call): void {
    this.db.teams = this.db.teams.filter((each) => each !== team);
  }

  // Webhooks

  createWebhook(call: Call): Answer {
    const values = this.readFields(call, 'webhook', 'create');
    const now = this.now();
    const hook: Hook = {
      id: this.newId('hook'),
      workspace: call.workspace?.id ?? '',
      url: values.url as string,
      events: (values.events as string[] | undefined) ?? EVENT_NAMES,
      secret: this.newId('secret'),
      ...{ created: now, updated: now, nth: this.nextNth() },
    };
    this.db.hooks.push(hook);
    const shown = this.showHook(hook);
    return { status: this.style.webhookStatus, body: this.style.webhookBody === 'data' ? { data: shown } : shown, headers: {} };
  }

  showHook(hook: Hook): Fields {
    return { id: hook.id, url: hook.url, events: hook.events, secret: hook.secret };
  }

  // The way of a request

  patternsOf(): readonly (readonly [method: string, pattern: string, operation: Operation])[] {
    return OPERATIONS;
  }

  route(call: Call): Route {
    for (const [method, pattern, operation] of this.patternsOf()) {
      const ids = method === call.method ? pathVariables(pattern, call.path) : undefined;
      if (ids) return { operation, ids };
    }
    throw this.undocumented(call);
  }

  undocumented(call: Call): Problem {
    const status = this.style.undocumentedStatus;
    const known = OPERATIONS.some(([, pattern]) => pathVariables(pattern, call.path));
    return status === 405 && known
      ? new Problem(405, 'method_not_allowed', 'No such method here.')
      : this.notFound(call, 'resource');
  }

  /** Fails when the path names something that is not there. */
  locate(call: Call): void {
    if (call.ids.project !== undefined) this.projectOf(call);
    if (call.ids.task !== undefined) this.taskOf(call);
    if (call.ids.team !== undefined) this.teamOf(call);
  }

  /** Runs an operation; a step of its own so that all answers of success pass here. */
  perform(call: Call, operation: Operation): Answer {
    return this[operation](call);
  }

  serve(call: Call): Answer {
    call.key = this.authenticate(call);
    call.workspace = this.workspaceOf(call.key);
    this.charge(call);
    const { operation, ids } = this.route(call);
    call.operation = operation;
    call.ids = ids;
    if (this.style.first === 'existence') this.locate(call);
    this.authorise(call, operation);
    return this.perform(call, operation);
  }

  fail(error: unknown, _call: Call): Answer {
    const problem = error instanceof Problem ? error : new Problem(500, 'internal_error', `Something broke: ${error}`);
    return { status: problem.status, body: this.errorBody(problem), headers: {} };
  }

  /** The whole answer to a request. */
  answer(call: Call): Answer {
    let answer: Answer;
    try {
      answer = this.serve(call);
    } catch (error) {
      answer = this.fail(error, call);
    }
    this.refund(call, answer);
    return { ...answer, headers: { ...answer.headers, ...this.quotaHeaders(call, answer) } };
  }

  /** The bytes of an answer's body; undefined for none. */
  write(answer: Answer, _call: Call): { readonly text: string | undefined; readonly type: string } {
    return { text: answer.body === undefined ? undefined : JSON.stringify(answer.body), type: 'application/json' };
  }
}
