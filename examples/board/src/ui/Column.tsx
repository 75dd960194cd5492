// One status of the board: its tasks page by page, and a place to drop others.
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { ApiError, type Member, type Project, type Task } from '../api';
import { type Filters, nameOf, type Status } from '../board';
import { useChange, usePendingChanges } from '../changes';
import { useColumn } from '../data';
import { Card } from './Card';
import { Plus, Spinner, StatusIcon, Warning } from './icons';

interface Props {
  readonly status: Status;
  readonly filters: Filters;
  readonly projects: readonly Project[];
  readonly members: readonly Member[];
  readonly onOpen: (task: Task) => void;
  readonly onCreate: () => void;
}

const Failure = ({ error }: { error: Error }) => {
  const client = useQueryClient();
  const again = () => client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  return (
    <div className="failure" role="alert">
      <Warning />
      <p>
        <strong>Not loaded.</strong> {error.message}{' '}
        {error instanceof ApiError && error.status > 0 && <code>{error.status}</code>}
      </p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
};

const Skeleton = ({ name }: { name: string }) => (
  <div className="skeleton">
    <Spinner label={`Loading ${name}`} />
    <i />
    <i />
    <i />
  </div>
);

export const Column = ({ status, filters, projects, members, onOpen, onCreate }: Props) => {
  const {
    tasks,
    total = 0,
    error,
    isPending,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useColumn({ status, ...filters });
  const saving = new Set(usePendingChanges().map(({ task }) => task.id));
  const change = useChange();
  const [over, setOver] = useState(false);

  const move = (task: Task, to: Status) => change({ kind: 'update', task: { ...task, status: to }, patch: { status: to } });
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const task = JSON.parse(event.dataTransfer.getData('application/json') || 'null') as Task | null;
    if (task && task.status !== status) move(task, status);
  };
  const name = nameOf(status);

  return (
    <section
      className="column"
      aria-label={name}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node) || setOver(false)}
      onDrop={onDrop}
    >
      <header>
        <StatusIcon status={status} />
        <h2>{name}</h2>
        {tasks && <span className="count">{total}</span>}
        <button type="button" className="icon-button" aria-label={`New task in ${name}`} title="New task" onClick={onCreate}>
          <Plus />
        </button>
      </header>
      {isPending && <Skeleton name={name} />}
      {error && <Failure error={error} />}
      {tasks && (
        <ul>
          {tasks.map((task) => (
            <Card
              key={task.id}
              task={task}
              project={projects.find(({ id }) => id === task.project_id)}
              assignee={members.find(({ id }) => id === task.assignee_id)}
              saving={saving.has(task.id)}
              onOpen={() => onOpen(task)}
              onMove={(to) => move(task, to)}
            />
          ))}
        </ul>
      )}
      {tasks?.length === 0 && <p className="empty">Nothing here</p>}
      {hasNextPage && (
        <button type="button" className="more" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {isFetchingNextPage ? <Spinner label="Loading more" /> : `Show more · ${total - tasks!.length} left`}
        </button>
      )}
    </section>
  );
};
