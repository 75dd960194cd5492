// What clients see of a record.
import type { Answer, Comment, Fields, Member, Place, Problem, Project, Task, Team, User } from '../model.ts';
import { Input } from './input.ts';

export class Show extends Input {
  /** A time in milliseconds as the API writes it. `what` names the field, such as `task.due_date`. */
  stamp(at: number, _what: string): string | number {
    const text = new Date(at).toISOString();
    if (this.style.stamp === 'offset') return text.replace('Z', '+00:00');
    return this.style.stamp === 'microseconds' ? text.replace('Z', '000Z') : text;
  }

  /** Writes absent values as the style has them. */
  withAbsent(fields: Fields): Fields {
    if (this.style.absent === 'null') return fields;
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  }

  showProject(project: Project, _place: Place): Fields {
    return this.withAbsent({
      id: project.id,
      name: project.name,
      description: project.description,
      visibility: project.visibility,
      created_at: this.stamp(project.created, 'project.created_at'),
      updated_at: this.stamp(project.updated, 'project.updated_at'),
    });
  }

  priorityOf(task: Task, _place: Place | 'filter' | 'event'): string | null {
    return task.priority ?? 'medium';
  }

  showTask(task: Task, place: Place): Fields {
    return this.withAbsent({
      id: task.id,
      project_id: task.project,
      title: task.title,
      description: task.description,
      assignee_id: task.assignee,
      due_date: task.due === null ? null : this.stamp(task.due, 'task.due_date'),
      priority: this.priorityOf(task, place),
      status: task.status,
      created_at: this.stamp(task.created, 'task.created_at'),
      updated_at: this.stamp(task.updated, 'task.updated_at'),
    });
  }

  showProfile(person: User, role: string): Fields {
    return {
      id: person.id,
      name: person.name,
      email: person.email,
      role,
      avatar_url: person.avatar,
      created_at: this.stamp(person.created, 'user.created_at'),
    };
  }

  showMember(member: Member): Fields {
    const { user, role } = member;
    return { id: user.id, name: user.name, email: user.email, role };
  }

  memberCount(team: Team, _place: Place): unknown {
    return team.members.length;
  }

  /** A row of the list, or what is answered on creation. */
  showTeam(team: Team, place: Place): Fields {
    return {
      id: team.id,
      name: team.name,
      member_count: this.memberCount(team, place),
      created_at: this.stamp(team.created, 'team.created_at'),
      updated_at: this.stamp(team.updated, 'team.updated_at'),
    };
  }

  /** The entries of `members`. */
  showMembers(team: Team): unknown {
    return team.members.map((id) => {
      const user = this.db.users.find((each) => each.id === id);
      return { id, name: user?.name, role: this.roleOf(id, team.workspace) };
    });
  }

  showWholeTeam(team: Team): Fields {
    const { member_count: _, ...rest } = this.showTeam(team, 'read');
    return { ...rest, members: this.showMembers(team) };
  }

  roleOf(id: string, workspace: string): string | undefined {
    return this.db.memberships.find((each) => each.user === id && each.workspace === workspace)?.role;
  }

  showComment(comment: Comment): Fields {
    return {
      id: comment.id,
      author_id: comment.author,
      body: comment.body,
      created_at: this.stamp(comment.created, 'comment.created_at'),
    };
  }

  single(data: unknown, _place: Place | 'deleted', status = 200): Answer {
    return { status, body: { data }, headers: {} };
  }

  empty(): Answer {
    return { status: 204, headers: {} };
  }

  /** The `details` of an error. */
  details(problem: Problem): unknown {
    const { issues } = problem;
    if (issues) return { fields: issues.map(({ field, issue }) => ({ field, issue })) };
    return this.style.emptyDetails ? {} : undefined;
  }

  errorBody(problem: Problem): unknown {
    const details = this.details(problem);
    return {
      error: {
        code: problem.code,
        message: problem.message,
        ...(details === undefined ? {} : { details }),
        ...(this.style.errorStatus ? { status: problem.status } : {}),
      },
    };
  }
}
