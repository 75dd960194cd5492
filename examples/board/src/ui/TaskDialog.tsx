// The form in which a task is made, edited and deleted.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Member, Project, Task, TaskDraft } from '../api';
import { newTask, PRIORITIES, type Priority, STATUSES, type Status } from '../board';
import { useChange } from '../changes';
import { Cross } from './icons';
import { Named, Values } from './options';

/** A task that is edited, or what a new one begins with. */
export type Subject =
  | Task
  | { readonly id?: undefined; readonly status: Status; readonly project_id?: string; readonly assignee_id?: string };

interface Props {
  readonly subject: Subject;
  readonly projects: readonly Project[];
  readonly members: readonly Member[];
  readonly onClose: () => void;
}

const Field = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label>
    <span>{label}</span>
    {children}
  </label>
);

/** What the form says, in the API's words; what is left empty is `null`. */
const draftOf = (form: HTMLFormElement): TaskDraft => {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const day = text('due_date');
  return {
    title: text('title'),
    description: text('description') || null,
    status: text('status') as Status,
    priority: text('priority') as Priority,
    assignee_id: text('assignee_id') || null,
    due_date: day ? new Date(`${day}T17:00`).toISOString() : null,
  };
};

/** A new task has nothing to clear. */
const filled = (draft: TaskDraft) =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null)) as unknown as TaskDraft;

const dayOf = (time: string | null | undefined): string => (time ? new Date(time).toLocaleDateString('sv') : '');

/** What differs from the task as it is. */
const patchOf = (task: Task, draft: TaskDraft): Partial<TaskDraft> =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => {
      const before = task[name as keyof TaskDraft] ?? null;
      return name === 'due_date' ? dayOf(before) !== dayOf(value) : before !== value;
    }),
  );

export const TaskDialog = ({ subject, projects, members, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [sure, setSure] = useState(false);
  const change = useChange();
  useEffect(() => dialog.current?.showModal(), []);
  const task = subject.id === undefined ? undefined : subject;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const draft = draftOf(event.currentTarget);
    const project = new FormData(event.currentTarget).get('project_id') as string;
    if (!task) change({ kind: 'create', task: newTask(project, draft, new Date().toISOString()), draft: filled(draft) });
    else {
      const patch = patchOf(task, draft);
      if (Object.keys(patch).length > 0) change({ kind: 'update', task: { ...task, ...patch }, patch });
    }
    onClose();
  };
  const remove = () => {
    if (!sure) return setSure(true);
    change({ kind: 'delete', task: task! });
    onClose();
  };
  const title = task ? 'Edit task' : 'New task';

  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <form onSubmit={submit}>
        <header>
          <h2>{title}</h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Cross />
          </button>
        </header>
        <Field label="Title">
          <textarea name="title" rows={2} required maxLength={255} defaultValue={task?.title} placeholder="What is to be done?" />
        </Field>
        <Field label="Description">
          <textarea name="description" rows={3} maxLength={10_000} defaultValue={task?.description ?? ''} />
        </Field>
        <div className="grid">
          <Field label="Project">
            <select name="project_id" required disabled={!!task} defaultValue={subject.project_id}>
              <Named records={projects} chosen={subject.project_id} />
            </select>
          </Field>
          <Field label="Status">
            <select name="status" defaultValue={subject.status}>
              <Values values={STATUSES} />
            </select>
          </Field>
          <Field label="Assignee">
            <select name="assignee_id" defaultValue={subject.assignee_id ?? ''}>
              <option value="">Nobody</option>
              <Named records={members} chosen={subject.assignee_id} />
            </select>
          </Field>
          <Field label="Priority">
            <select name="priority" defaultValue={task?.priority ?? 'medium'}>
              {/* A value that is newer than this page stays as it is. */}
              <Values values={[...new Set([...PRIORITIES, task?.priority ?? 'medium'])]} />
            </select>
          </Field>
          <Field label="Due">
            <input type="date" name="due_date" defaultValue={dayOf(task?.due_date)} />
          </Field>
        </div>
        <footer>
          {task && (
            <button type="button" className="danger" data-sure={sure} onClick={remove}>
              {sure ? 'Delete for good' : 'Delete'}
            </button>
          )}
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary">
            {task ? 'Save' : 'Create task'}
          </button>
        </footer>
      </form>
    </dialog>
  );
};
