// Events: who is told, what is sent, and what follows when nobody acknowledges.
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Call, Fields, Hook, Project, Task } from '../model.ts';
import type { Style } from '../styles.ts';
import type { Store } from '../world.ts';
import { Lists } from './lists.ts';

/** A request to a registered endpoint. */
export interface Post {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request and answers the status; rejects when there is no answer. Redirects are not followed. */
export type Send = (post: Post) => Promise<number>;

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

/** The status of an answer, or why there is none. */
export type Outcome = number | 'timeout' | 'unreachable';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 120 * MINUTE];

export class Events extends Lists {
  send: Send;

  constructor(db: Store, style: Style, clock: Clock, newId: (prefix: string) => string, nextNth: () => number, send: Send) {
    super(db, style, clock, newId, nextNth);
    this.send = send;
  }

  /** A task as events show it. */
  taskSnapshot(task: Task, _fired: string): unknown {
    const core = { id: task.id, title: task.title, project_id: task.project, status: task.status, assignee_id: task.assignee };
    return this.style.snapshots === 'minimal' ? core : { ...this.showTask(task, 'read'), ...core };
  }

  projectSnapshot(project: Project, _fired: string): unknown {
    return this.style.snapshots === 'minimal' ? { id: project.id, name: project.name } : this.showProject(project, 'read');
  }

  taskEvent(fired: string, task: Task, call: Call): void {
    this.emit(fired, task.workspace, { task: this.taskSnapshot(task, fired) }, call);
  }

  projectEvent(fired: string, project: Project, call: Call): void {
    this.emit(fired, project.workspace, { project: this.projectSnapshot(project, fired) }, call);
  }

  emit(fired: string, workspace: string, data: Fields, call: Call): void {
    const event: Event = { id: this.eventId(fired, data), name: fired, created: this.now(), data };
    for (const hook of this.db.hooks) if (this.hears(hook, event, workspace, call)) this.deliver(event, hook);
  }

  eventId(_fired: string, _data: Fields): string {
    return this.newId('evt');
  }

  hears(hook: Hook, event: Event, workspace: string, _call: Call): boolean {
    return hook.workspace === workspace && hook.events.includes(event.name);
  }

  deliver(event: Event, hook: Hook): void {
    this.attempt({ event, hook, attempts: 0, first: this.now() });
  }

  envelope(delivery: Delivery): unknown {
    const { event } = delivery;
    return { id: event.id, event: event.name, created_at: this.stamp(event.created, 'event.created_at'), data: event.data };
  }

  /** Seconds of the X-Service-Timestamp header. */
  deliveryTime(delivery: Delivery): string {
    return String(Math.floor(delivery.event.created / SECOND));
  }

  sign(text: string, time: string, delivery: Delivery): string {
    return createHmac('sha256', delivery.hook.secret).update(`${time}.${text}`).digest('hex');
  }

  /** The bytes of an event. */
  letter(delivery: Delivery): string {
    return JSON.stringify(this.envelope(delivery));
  }

  post(delivery: Delivery): Post {
    const body = this.letter(delivery);
    const time = this.deliveryTime(delivery);
    return {
      url: delivery.hook.url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Timestamp': time,
        'X-Service-Signature': this.sign(body, time, delivery),
      },
      body,
    };
  }

  /** Milliseconds that a receiver has to acknowledge. */
  patience(_delivery: Delivery): number {
    return 10 * SECOND;
  }

  attempt(delivery: Delivery): void {
    delivery.attempts += 1;
    let open = true;
    const end = (outcome: Outcome) => {
      if (!open) return;
      open = false;
      forget();
      this.conclude(delivery, outcome);
    };
    const forget = this.clock.later(this.patience(delivery), () => end('timeout'));
    const sending = this.send(this.post(delivery)).then(end, () => end('unreachable'));
    this.clock.track(sending);
  }

  acknowledges(outcome: Outcome, _delivery: Delivery): boolean {
    return typeof outcome === 'number' && outcome >= 200 && outcome < 300;
  }

  conclude(delivery: Delivery, outcome: Outcome): void {
    if (this.acknowledges(outcome, delivery)) return;
    const pause = this.pauseAfter(delivery, outcome);
    if (pause === undefined) this.giveUp(delivery);
    else this.clock.later(pause, () => this.attempt(delivery));
  }

  /** Milliseconds to the next attempt; undefined when there is none. */
  pauseAfter(delivery: Delivery, _outcome: Outcome): number | undefined {
    return PAUSES[delivery.attempts - 1];
  }

  giveUp(_delivery: Delivery): void {}
}
