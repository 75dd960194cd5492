// The projects, tasks and comments of a workspace: three lists out of nested or loose records, parents never younger than children.
import { DEFAULTS } from '../contract/states.ts';
import type { CommentRecord, ProjectRecord, TaskRecord } from '../world/records.ts';
import type { WorkspaceFile } from './format.ts';
import type { Making } from './making.ts';

export interface Work {
  readonly projects: readonly ProjectRecord[];
  readonly tasks: readonly TaskRecord[];
  readonly comments: readonly CommentRecord[];
}

/** The earliest moment known of each parent. */
class Earliest {
  readonly #of = new Map<string, string>();

  note(parent: string, time: string): void {
    const known = this.#of.get(parent);
    if (known === undefined || time < known) this.#of.set(parent, time);
  }

  /** The earliest of some times and of those noted. */
  with(parent: string, ...times: readonly (string | undefined)[]): string {
    return [this.#of.get(parent), ...times].filter((time) => time !== undefined).sort()[0]!;
  }
}

/** @param owner whose records are that name nobody. */
export const completeWork = (making: Making, file: WorkspaceFile, owner: string): Work => {
  const { random, ids, start } = making;
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : making.time(text));
  const beginnings = new Earliest();

  const projects = (file.projects ?? []).map((project) => ({ project, id: project.id ?? ids.make(random, 'projects') }));
  const tasks = [
    ...projects.flatMap(({ project, id }) => (project.tasks ?? []).map((task) => ({ task, project_id: id }))),
    ...(file.tasks ?? []).map((task) => ({ task, project_id: task.project_id })),
  ].map(({ task, project_id }) => ({ task, project_id, id: task.id ?? ids.make(random, 'tasks') }));
  const comments = [
    ...tasks.flatMap(({ task, id }) => (task.comments ?? []).map((comment) => ({ comment, task_id: id }))),
    ...(file.comments ?? []).map((comment) => ({ comment, task_id: comment.task_id })),
  ].map(({ comment, task_id }): CommentRecord => {
    const created_at = timeOf(comment.created_at) ?? start;
    beginnings.note(task_id, created_at);
    const id = comment.id ?? ids.make(random, 'comments');
    return { id, task_id, author_id: comment.author_id ?? owner, body: comment.body, created_at };
  });

  const taskRecords = tasks.map(({ task, project_id, id }): TaskRecord => {
    const updated = timeOf(task.updated_at);
    const created_at = timeOf(task.created_at) ?? beginnings.with(id, start, updated);
    beginnings.note(project_id, created_at);
    return {
      id,
      project_id,
      title: task.title,
      description: task.description ?? null,
      assignee_id: task.assignee_id ?? null,
      due_date: timeOf(task.due_date ?? undefined) ?? null,
      priority: task.priority ?? DEFAULTS.priority,
      status: task.status ?? DEFAULTS.status,
      created_at,
      updated_at: updated ?? created_at,
    };
  });

  const projectRecords = projects.map(({ project, id }, i): ProjectRecord => {
    const updated = timeOf(project.updated_at);
    const created_at = timeOf(project.created_at) ?? beginnings.with(id, start, updated);
    return {
      id,
      name: project.name ?? `Project ${i + 1}`,
      description: project.description ?? null,
      visibility: project.visibility ?? DEFAULTS.visibility,
      owner_id: project.owner_id ?? owner,
      created_at,
      updated_at: updated ?? created_at,
    };
  });
  return { projects: projectRecords, tasks: taskRecords, comments };
};
