// The projects, tasks and comments of a workspace: three lists out of nested or loose records, parents never younger than children.

import type { CommentRecord, ProjectRecord, TaskRecord } from '../world/records.ts';
import { BLANKS } from '../world/records.ts';
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

  /** The earliest of two times and of those noted. */
  with(parent: string, start: string, updated: string | undefined): string {
    const noted = this.#of.get(parent) ?? start;
    const first = noted < start ? noted : start;
    return updated !== undefined && updated < first ? updated : first;
  }
}

type ProjectFile = NonNullable<WorkspaceFile['projects']>[number];
type TaskFile = NonNullable<ProjectFile['tasks']>[number];
type CommentFile = NonNullable<TaskFile['comments']>[number];

/** @param owner whose records are that name nobody. */
export const completeWork = (making: Making, file: WorkspaceFile, owner: string): Work => {
  const { random, ids, start } = making;
  const timeOf = (text: string | null | undefined) => (text === undefined || text === null ? undefined : making.time(text));
  const beginnings = new Earliest();
  const { projects = [], tasks: looseTasks = [], comments: looseComments = [] } = file;
  const projectIds = projects.map(({ id }) => id ?? ids.make(random, 'projects'));

  // Parents before children, for ids are made in this order; then children before parents, for the times of these follow.
  const tasks: TaskFile[] = [];
  const taskIds: string[] = [];
  const holders: string[] = [];
  const addTask = (task: TaskFile, project_id: string) => {
    tasks.push(task);
    taskIds.push(task.id ?? ids.make(random, 'tasks'));
    holders.push(project_id);
  };
  projects.forEach((project, p) => {
    for (const task of project.tasks ?? []) addTask(task, projectIds[p]!);
  });
  for (const task of looseTasks) addTask(task, task.project_id);

  const comments: CommentRecord[] = [];
  const addComment = ({ id, created_at, author_id, body }: CommentFile, task_id: string) => {
    const created = timeOf(created_at) ?? start;
    beginnings.note(task_id, created);
    comments.push({
      id: id ?? ids.make(random, 'comments'),
      task_id,
      author_id: author_id ?? owner,
      body,
      created_at: created,
    });
  };
  tasks.forEach((task, t) => {
    for (const comment of task.comments ?? []) addComment(comment, taskIds[t]!);
  });
  for (const comment of looseComments) addComment(comment, comment.task_id);

  const taskRecords = tasks.map((task, t): TaskRecord => {
    const id = taskIds[t]!;
    const project_id = holders[t]!;
    const updated = timeOf(task.updated_at);
    const created_at = timeOf(task.created_at) ?? beginnings.with(id, start, updated);
    beginnings.note(project_id, created_at);
    return {
      id,
      project_id,
      title: task.title,
      description: task.description ?? null,
      assignee_id: task.assignee_id ?? null,
      due_date: timeOf(task.due_date) ?? null,
      priority: task.priority ?? BLANKS.tasks.priority,
      status: task.status ?? BLANKS.tasks.status,
      created_at,
      updated_at: updated ?? created_at,
    };
  });

  const projectRecords = projects.map((project, i): ProjectRecord => {
    const id = projectIds[i]!;
    const updated = timeOf(project.updated_at);
    const created_at = timeOf(project.created_at) ?? beginnings.with(id, start, updated);
    return {
      id,
      name: project.name ?? `Project ${i + 1}`,
      description: project.description ?? null,
      visibility: project.visibility ?? BLANKS.projects.visibility,
      owner_id: project.owner_id ?? owner,
      created_at,
      updated_at: updated ?? created_at,
    };
  });
  return { projects: projectRecords, tasks: taskRecords, comments };
};
