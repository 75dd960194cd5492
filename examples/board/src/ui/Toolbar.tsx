// The bar on top: what is shown, how much of the rate limit is left, and a button for a new task.
import type { ReactNode } from 'react';
import type { Member, Project } from '../api';
import { type Filters, PRIORITIES, type Priority } from '../board';
import { gate } from '../gate';
import { Avatar, Mark, Plus } from './icons';
import { Named, Values } from './options';

interface Props {
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
  readonly projects: readonly Project[];
  readonly members: readonly Member[];
  readonly me: Member | undefined;
  readonly live: boolean;
  readonly onCreate: () => void;
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly children: ReactNode;
}

const Choice = ({ label, all, value = '', onChange, children }: ChoiceProps) => (
  <select aria-label={label} data-set={value !== ''} value={value} onChange={({ target }) => onChange(target.value || undefined)}>
    <option value="">{all}</option>
    {children}
  </select>
);

const Quota = () => {
  const { limit, remaining } = gate.use();
  if (limit === undefined || remaining === undefined) return null;
  const says = `${remaining} of ${limit} requests left this minute`;
  return (
    <span className="quota" role="img" aria-label={says} title={says}>
      <i style={{ inlineSize: `${(100 * remaining) / limit}%` }} data-low={remaining < limit / 5} />
    </span>
  );
};

export const Toolbar = ({ filters, onFilter, projects, members, me, live, onCreate }: Props) => (
  <header className="toolbar">
    <div className="brand">
      <Mark />
      <h1>Board</h1>
      {live && (
        <span className="live" title="Changes of others appear by themselves">
          Live
        </span>
      )}
    </div>
    <search className="filters" aria-label="Filters">
      <Choice
        label="Project"
        all="All projects"
        value={filters.project}
        onChange={(project) => onFilter({ ...filters, project })}
      >
        <Named records={projects} />
      </Choice>
      <Choice
        label="Assignee"
        all="Everybody"
        value={filters.assignee}
        onChange={(assignee) => onFilter({ ...filters, assignee })}
      >
        <Named records={members} />
      </Choice>
      <Choice
        label="Priority"
        all="Any priority"
        value={filters.priority}
        onChange={(value) => onFilter({ ...filters, priority: value as Priority | undefined })}
      >
        <Values values={PRIORITIES} />
      </Choice>
      {Object.values(filters).some(Boolean) && (
        <button type="button" className="quiet" onClick={() => onFilter({})}>
          Clear
        </button>
      )}
    </search>
    <div className="tools">
      <Quota />
      {me && <Avatar id={me.id} name={me.name} />}
      <button type="button" className="primary" onClick={onCreate}>
        <Plus />
        <span>New task</span>
      </button>
    </div>
  </header>
);
