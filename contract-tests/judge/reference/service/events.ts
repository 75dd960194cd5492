// Events: who is told, what is sent, and what follows when no receiver acknowledges.
import { createHmac } from 'node:crypto';
import type { Call, Fields, Hook, Post, Project, Task } from '../model.ts';
import { Lists } from './lists.ts';

export interface Event {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly data: Fields;
}

export interface Delivery {
  readonly event: Event;
  readonly hook: Hook;
  /** Attempts that were made. */
  attempts: number;
  readonly first: number;
}

/** The status of a response, or why there is none. */
export type Outcome = number | 'timeout' | 'unreachable';

const SECOND = 1000;
const PAUSES = [30, 120, 600, 1800, 7200];

export class Events extends Lists {
  /** A task as events show it. */
  taskSnapshot = (task: Task, _fired: string): unknown => {
    const core = { id: task.id, title: task.title, project_id: task.project, status: task.status, assignee_id: task.assignee };
    return this.style.snapshots === 'minimal' ? core : { ...this.showTask(task, 'read'), ...core };
  };

  projectSnapshot = (project: Project, _fired: string): unknown =>
    this.style.snapshots === 'minimal' ? { id: project.id, name: project.name } : this.showProject(project, 'read');

  taskEvent = (fired: string, task: Task, call: Call): void =>
    this.emit(fired, task.workspace, { task: this.taskSnapshot(task, fired) }, call);
  projectEvent = (fired: string, project: Project, call: Call): void =>
    this.emit(fired, project.workspace, { project: this.projectSnapshot(project, fired) }, call);

  emit = (fired: string, workspace: string, data: Fields, call: Call): void => {
    const event: Event = { id: this.eventId(fired, data), name: fired, created: this.now(), data };
    for (const hook of this.db.hooks) if (this.hears(hook, event, workspace, call)) this.deliver(event, hook);
  };

  eventId = (_fired: string, _data: Fields): string => this.newId('evt');
  hears = (hook: Hook, event: Event, workspace: string, _call: Call): boolean =>
    hook.workspace === workspace && hook.events.includes(event.name);
  deliver = (event: Event, hook: Hook): void => this.attempt({ event, hook, attempts: 0, first: this.now() });

  envelope = (delivery: Delivery): unknown => {
    const { id, name, created, data } = delivery.event;
    return { id, event: name, created_at: this.stamp(created, 'event.created_at'), data };
  };

  /** Seconds of the X-Service-Timestamp header. */
  deliveryTime = (delivery: Delivery): string => String(Math.floor(delivery.event.created / SECOND));
  sign = (text: string, time: string, delivery: Delivery): string =>
    createHmac('sha256', delivery.hook.secret).update(`${time}.${text}`).digest('hex');
  /** The bytes of an event. */
  letter = (delivery: Delivery): string => JSON.stringify(this.envelope(delivery));

  post = (delivery: Delivery): Post => {
    const body = this.letter(delivery);
    const time = this.deliveryTime(delivery);
    const signed = { 'X-Service-Timestamp': time, 'X-Service-Signature': this.sign(body, time, delivery) };
    return { url: delivery.hook.url, method: 'POST', headers: { 'Content-Type': 'application/json', ...signed }, body };
  };

  /** Milliseconds that a receiver has to acknowledge. */
  patience = (_delivery: Delivery): number => 10 * SECOND;

  attempt = (delivery: Delivery): void => {
    delivery.attempts += 1;
    let open = true;
    const end = (outcome: Outcome) => {
      if (!open) return;
      open = false;
      forget();
      this.conclude(delivery, outcome);
    };
    const forget = this.clock.later(this.patience(delivery), () => end('timeout'));
    this.clock.track(this.send(this.post(delivery)).then(end, () => end('unreachable')));
  };

  acknowledges = (outcome: Outcome, _delivery: Delivery): boolean =>
    typeof outcome === 'number' && outcome >= 200 && outcome < 300;

  conclude = (delivery: Delivery, outcome: Outcome): void => {
    if (this.acknowledges(outcome, delivery)) return;
    const pause = this.pauseAfter(delivery, outcome);
    if (pause === undefined) this.giveUp(delivery);
    else this.clock.later(pause, () => this.attempt(delivery));
  };

  /** Milliseconds to the next attempt; undefined when there is none. */
  pauseAfter = (delivery: Delivery, _outcome: Outcome): number | undefined => {
    const seconds = PAUSES[delivery.attempts - 1];
    return seconds === undefined ? undefined : seconds * SECOND;
  };

  giveUp = (_delivery: Delivery): void => {};
}
