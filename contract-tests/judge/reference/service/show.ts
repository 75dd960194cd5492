// The view that clients have of a record.
import type { Comment, Fields, Member, Place, Problem, Project, ServiceResponse, Task, Team, User } from '../model.ts';
import { Input } from './input.ts';

export class Show extends Input {
  /** A time in milliseconds as the API writes it. `what` names the field, such as `task.due_date`. */
  stamp = (at: number, _what: string): string | number => {
    const zone = { milliseconds: 'Z', offset: '+00:00', microseconds: '000Z' }[this.style.stamp];
    return new Date(at).toISOString().replace('Z', zone);
  };

  /** The times of a record, as its fields show them. */
  private times = (kind: string, { created, updated }: { created: number; updated: number }): Fields => ({
    created_at: this.stamp(created, `${kind}.created_at`),
    updated_at: this.stamp(updated, `${kind}.updated_at`),
  });

  /** Writes absent values as the style has them. */
  withAbsent = (fields: Fields): Fields =>
    this.style.absent === 'null' ? fields : Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

  showProject = (project: Project, _place: Place): Fields => {
    const { id, name, description, visibility } = project;
    return this.withAbsent({ id, name, description, visibility, ...this.times('project', project) });
  };

  priorityOf = (task: Task, _place: Place | 'filter' | 'event'): string | null => task.priority ?? 'medium';

  showTask = (task: Task, place: Place): Fields => {
    const { id, project, title, description, assignee, due, status } = task;
    return this.withAbsent({
      ...{ id, project_id: project, title, description, assignee_id: assignee },
      due_date: due === null ? null : this.stamp(due, 'task.due_date'),
      ...{ priority: this.priorityOf(task, place), status },
      ...this.times('task', task),
    });
  };

  showProfile = (person: User, role: string): Fields => {
    const { id, name, email, avatar, created } = person;
    return { id, name, email, role, avatar_url: avatar, created_at: this.stamp(created, 'user.created_at') };
  };

  showMember = (member: Member): Fields => {
    const { id, name, email } = member.user;
    return { id, name, email, role: member.role };
  };

  memberCount = (team: Team, _place: Place): unknown => team.members.length;

  /** A row of the list, or what a creation shows. */
  showTeam = (team: Team, place: Place): Fields => {
    const { id, name } = team;
    return { id, name, member_count: this.memberCount(team, place), ...this.times('team', team) };
  };

  roleOf = (id: string, workspace: string): string | undefined =>
    this.db.memberships.find((each) => each.user === id && each.workspace === workspace)?.role;

  /** The entries of `members`. */
  showMembers = (team: Team): unknown =>
    team.members.map((id) => {
      const user = this.db.users.find((each) => each.id === id);
      return { id, name: user?.name, role: this.roleOf(id, team.workspace) };
    });

  showWholeTeam = (team: Team): Fields => {
    const { member_count: _, ...rest } = this.showTeam(team, 'read');
    return { ...rest, members: this.showMembers(team) };
  };

  showComment = (comment: Comment): Fields => {
    const { id, author, body, created } = comment;
    return { id, author_id: author, body, created_at: this.stamp(created, 'comment.created_at') };
  };

  single = (data: unknown, _place: Place | 'deleted', status = 200): ServiceResponse => ({ status, body: { data }, headers: {} });
  empty = (): ServiceResponse => ({ status: 204, headers: {} });

  /** The `details` of an error. */
  details = (problem: Problem): unknown => {
    if (problem.issues) return { fields: problem.issues.map(({ field, issue }) => ({ field, issue })) };
    return this.style.emptyDetails ? {} : undefined;
  };

  errorBody = (problem: Problem): unknown => {
    const { status, code, message } = problem;
    const details = this.details(problem);
    const more = { ...(details === undefined ? {} : { details }), ...(this.style.errorStatus ? { status } : {}) };
    return { error: { code, message, ...more } };
  };
}
