// The projects, tasks and comments of a workspace: three lists out of nested or loose records, parents never younger than children.

import { BLANKS, type Records } from '../../service/world/records.ts';
import type { WorkspaceFile } from './format.ts';
import type { SeedContext } from './seed-context.ts';

export type WorkRecords = { readonly [N in 'projects' | 'tasks' | 'comments']: readonly Records[N][] };

/** The earliest moment known of each parent. */
class EarliestTimes {
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
export const completeWork = (making: SeedContext, file: WorkspaceFile, owner: string): WorkRecords => {
  const { start } = making;
  const beginnings = new EarliestTimes();
  const { projects = [], tasks: looseTasks = [], comments: looseComments = [] } = file;
  const projectIds = projects.map((project) => making.id('projects', project));

  // Parents before children, for ids are made in this order; then children before parents, for the times of these follow.
  const tasks: TaskFile[] = [];
  const taskIds: string[] = [];
  const holders: string[] = [];
  const addTask = (task: TaskFile, project_id: string) => {
    tasks.push(task);
    taskIds.push(making.id('tasks', task));
    holders.push(project_id);
  };
  projects.forEach((project, p) => {
    for (const task of project.tasks ?? []) addTask(task, projectIds[p]!);
  });
  for (const task of looseTasks) addTask(task, task.project_id);

  const comments: Records['comments'][] = [];
  const addComment = (comment: CommentFile, task_id: string) => {
    const created_at = making.time(comment.created_at) ?? start;
    beginnings.note(task_id, created_at);
    comments.push(making.record('comments', comment, { task_id, author_id: owner, body: comment.body }));
  };
  tasks.forEach((task, t) => {
    for (const comment of task.comments ?? []) addComment(comment, taskIds[t]!);
  });
  for (const comment of looseComments) addComment(comment, comment.task_id);

  const timesOf = (file: { readonly created_at?: string; readonly updated_at?: string }, id: string) => {
    const updated = making.time(file.updated_at);
    const created_at = making.time(file.created_at) ?? beginnings.with(id, start, updated);
    return { created_at, updated_at: updated ?? created_at };
  };
  const taskRecords = tasks.map((task, t) => {
    const [id, project_id] = [taskIds[t]!, holders[t]!];
    const { created_at, updated_at } = timesOf(task, id);
    beginnings.note(project_id, created_at);
    const { title } = task;
    return making.filled('tasks', task, { ...BLANKS.tasks, id, project_id, title, created_at, updated_at });
  });
  const projectRecords = projects.map((project, i) => {
    const id = projectIds[i]!;
    const name = `Project ${i + 1}`;
    return making.filled('projects', project, { ...BLANKS.projects, id, name, owner_id: owner, ...timesOf(project, id) });
  });
  return { projects: projectRecords, tasks: taskRecords, comments };
};
