// The board: five columns, the bar above them, and the form in front.
import { useState } from 'react';
import { ApiError } from '../api';
import { type Filters, type Priority, STATUSES } from '../board';
import type { Connection } from '../connection';
import { useMe, useMembers, useProjects } from '../data';
import { type Events, useLive } from '../live';
import { Column } from './Column';
import { Connect } from './Connect';
import { Notices, Pause } from './Notices';
import { type Subject, TaskDialog } from './TaskDialog';
import { Toolbar } from './Toolbar';

/** The filters stand in the address, so that a view can be passed on. */
const useFilters = (): [Filters, (filters: Filters) => void] => {
  const [filters, setFilters] = useState<Filters>(() => {
    const asked = new URLSearchParams(location.search);
    const value = (name: string) => asked.get(name) ?? undefined;
    return { project: value('project'), assignee: value('assignee'), priority: value('priority') as Priority | undefined };
  });
  const change = (next: Filters) => {
    const set = Object.entries(next).filter(([, value]) => value);
    history.replaceState(null, '', `?${new URLSearchParams(set)}`);
    setFilters(next);
  };
  return [filters, change];
};

export const App = ({ connection, events }: { connection: Connection; events: Events | undefined }) => {
  const [filters, setFilters] = useFilters();
  const [subject, setSubject] = useState<Subject>();
  const { data: me, error } = useMe();
  const { data: projects = [] } = useProjects();
  const { data: members = [] } = useMembers();
  const live = useLive(events);

  if (error instanceof ApiError && error.status === 401) return <Connect connection={connection} refusal={error.message} />;

  const create = (status: (typeof STATUSES)[number]) =>
    setSubject({
      status,
      ...(filters.project && { project_id: filters.project }),
      ...(filters.assignee && { assignee_id: filters.assignee }),
    });
  const shared = { projects, members };
  return (
    <>
      <Toolbar {...shared} {...{ filters, me, live }} onFilter={setFilters} onCreate={() => create('todo')} />
      <Pause />
      <main className="board">
        {STATUSES.map((status) => (
          <Column key={status} {...shared} {...{ status, filters }} onOpen={setSubject} onCreate={() => create(status)} />
        ))}
      </main>
      <Notices />
      {subject && <TaskDialog key={subject.id ?? 'new'} {...shared} subject={subject} onClose={() => setSubject(undefined)} />}
    </>
  );
};
