// What a board is, and what a change does to a column of it: pure, so that it can be applied before the service agrees.
import type { Meta, Task, TaskDraft, TaskPatch } from './api';

export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'] as const;
export type Status = (typeof STATUSES)[number];
export const PRIORITIES = ['urgent', 'high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

const words = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
export const nameOf = (value: string): string => (value === 'todo' ? 'To do' : words(value));

export interface Filters {
  readonly project?: string | undefined;
  readonly assignee?: string | undefined;
  readonly priority?: Priority | undefined;
}
export interface Column extends Filters {
  readonly status: Status;
}
export interface Page {
  readonly items: readonly Task[];
  readonly meta: Meta;
}

/** Something the user did to a task; `task` is as it will be. */
export type Change =
  | { readonly kind: 'create'; readonly task: Task; readonly draft: TaskDraft }
  | { readonly kind: 'update'; readonly task: Task; readonly patch: TaskPatch }
  | { readonly kind: 'delete'; readonly task: Task };

const NEW = 'new-';
let made = 0;
/** A task that the service does not know yet. */
export const newTask = (project_id: string, draft: TaskDraft, at: string): Task => ({
  status: 'backlog',
  priority: 'medium',
  ...draft,
  id: `${NEW}${++made}`,
  project_id,
  created_at: at,
  updated_at: at,
});
export const isNew = ({ id }: Task): boolean => id.startsWith(NEW);

const belongs = (task: Task, { status, project, assignee, priority }: Column): boolean =>
  task.status === status &&
  (!project || task.project_id === project) &&
  (!assignee || task.assignee_id === assignee) &&
  (!priority || task.priority === priority);

/** The pages of a column after a change. What was touched last stands first, as the service sorts them. */
export const applied = (pages: readonly Page[], { kind, task }: Change, column: Column): readonly Page[] => {
  const had = pages.some(({ items }) => items.some(({ id }) => id === task.id));
  const has = kind !== 'delete' && belongs(task, column);
  if (!had && !has) return pages;
  return pages.map(({ items, meta }, index) => {
    const others = items.filter(({ id }) => id !== task.id);
    const total = meta.total + Number(has) - Number(had);
    return { items: has && index === 0 ? [task, ...others] : others, meta: { ...meta, total } };
  });
};
