// A task on the board: opened by a click, moved by dragging or by its arrows.
import type { Member, Project, Task } from '../api';
import { isNew, nameOf, STATUSES, type Status } from '../board';
import { Avatar, Clock, Dot, Left, PriorityIcon, Right, Spinner } from './icons';

const DAY = 86_400_000;

const midnight = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

const dueText = (due: string): string => {
  const days = Math.round((midnight(new Date(due)) - midnight(new Date())) / DAY);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  const year = new Date(due).getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  return new Date(due).toLocaleDateString('en', { month: 'short', day: 'numeric', year });
};

interface Props {
  readonly task: Task;
  readonly project: Project | undefined;
  readonly assignee: Member | undefined;
  /** A change of it is on its way. */
  readonly saving: boolean;
  readonly onOpen: () => void;
  readonly onMove: (status: Status) => void;
}

/** The task whose arrow was used last: its card, which appears in another column, gets the focus that was on the arrow. */
let moved: string | undefined;
const takeFocus = (id: string) => (title: HTMLButtonElement | null) => {
  if (!title || moved !== id) return;
  moved = undefined;
  title.focus();
};

const Arrow = ({ task, to, onMove }: Pick<Props, 'task' | 'onMove'> & { to: Status | undefined }) => {
  if (!to) return null;
  const label = `Move “${task.title}” to ${nameOf(to)}`;
  const move = () => {
    moved = task.id;
    onMove(to);
  };
  return (
    <button type="button" className="icon-button" aria-label={label} title={`Move to ${nameOf(to)}`} onClick={move}>
      {STATUSES.indexOf(to) < STATUSES.indexOf(task.status as Status) ? <Left /> : <Right />}
    </button>
  );
};

export const Card = ({ task, project, assignee, saving, onOpen, onMove }: Props) => {
  const place = STATUSES.indexOf(task.status as Status);
  const late = task.due_date && task.status !== 'done' && Date.parse(task.due_date) < Date.now();
  return (
    <li
      className="card"
      data-saving={saving}
      draggable={!isNew(task)}
      onDragStart={(event) => event.dataTransfer.setData('application/json', JSON.stringify(task))}
    >
      <div className="card-top">
        <Dot id={task.project_id} />
        <span className="card-project">{project?.name ?? 'Project'}</span>
        {!isNew(task) && (
          <span className="arrows">
            <Arrow task={task} to={STATUSES[place - 1]} onMove={onMove} />
            <Arrow task={task} to={STATUSES[place + 1]} onMove={onMove} />
          </span>
        )}
        {saving ? <Spinner label="Saving" /> : <PriorityIcon priority={task.priority} />}
      </div>
      <h3>
        <button ref={takeFocus(task.id)} type="button" className="card-title" disabled={isNew(task)} onClick={onOpen}>
          {task.title}
        </button>
      </h3>
      {(task.due_date || assignee) && (
        <div className="card-bottom">
          {task.due_date && (
            <time dateTime={task.due_date} className={late ? 'due late' : 'due'} title={late ? 'Overdue' : 'Due'}>
              <Clock />
              {dueText(task.due_date)}
            </time>
          )}
          {assignee && <Avatar id={assignee.id} name={assignee.name} />}
        </div>
      )}
    </li>
  );
};
