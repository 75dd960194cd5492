// The steps of a run, in order: each exchange, to repeat it on another workspace, and the origin of each id.
import { type Exchange, idOf, membersIn, metaOf, records, resource, succeeded, text } from './exchange.ts';

export interface Step {
  readonly number: number;
  /** The check that sent it. */
  readonly check: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly url: string;
  readonly as: Exchange['as'];
  readonly operation: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  readonly at: number;
}

export interface Origin {
  readonly step: Step;
  /** The kind of value, as a variable is named. */
  readonly kind: string;
  /** The member of the response that holds it, and which one of that name it is, from 1. */
  readonly member: 'id' | 'next_cursor';
  readonly nth: number;
}

const KINDS: Readonly<Record<string, string>> = {
  create_project: 'project',
  create_task: 'task',
  create_team: 'team',
  create_webhook: 'webhook',
};

/** Which member of that name holds a value, from 1; undefined when none does. */
const nthOf = (body: string, member: string, value: string): number | undefined => {
  const at = membersIn(body, member).indexOf(value);
  return at < 0 ? undefined : at + 1;
};

export const wrote = ({ method, status }: Step): boolean => method !== 'GET' && status >= 200 && status < 300;

export class Trail {
  readonly steps: Step[] = [];
  #latest: Exchange | undefined;
  readonly #byNumber = new Map<number, Step>();
  readonly #origins = new Map<string, Origin>();
  readonly #made = new Map<number, string>();
  readonly #shown = new Map<number, string[]>();

  notice(x: Exchange, check: string): void {
    const { number, method, path, query, url, as, status, at } = x;
    const step: Step = {
      number,
      check,
      method,
      path,
      query,
      url,
      as,
      operation: x.operation?.id,
      headers: x.requestHeaders,
      body: x.requestBody,
      status,
      at,
    };
    this.#latest = x;
    this.steps.push(step);
    this.#byNumber.set(number, step);
    if (succeeded(x)) this.#learn(x, step);
  }

  step(number: number): Step | undefined {
    return this.#byNumber.get(number);
  }

  /** The last response, if it is one to that check. */
  latest(check: string): readonly Exchange[] {
    return this.#latest && this.steps.at(-1)?.check === check ? [this.#latest] : [];
  }

  /** Where an id or a cursor was first seen. */
  origin(value: string): Origin | undefined {
    return this.#origins.get(value);
  }

  /** The ids and cursors that a response was the first to show. */
  originsOf(step: Step): readonly (readonly [string, Origin])[] {
    return (this.#shown.get(step.number) ?? []).map((value) => [value, this.#origins.get(value)!]);
  }

  /** Ids that the run made. */
  get made(): Iterable<string> {
    return this.#made.values();
  }

  /** The id that a create gave. */
  madeBy(step: Step): string | undefined {
    return this.#made.get(step.number);
  }

  /** The number of the last exchange. */
  get last(): number {
    return this.steps.at(-1)?.number ?? 0;
  }

  #learn(x: Exchange, step: Step): void {
    const kind = KINDS[step.operation ?? ''];
    const id = kind ? idOf(resource(x)) : undefined;
    if (kind && id !== undefined) {
      this.#add(x, step, kind, 'id', id);
      if (this.origin(id)?.step === step) this.#made.set(step.number, id);
    }
    if (step.operation === 'list_members') for (const member of records(x)) this.#add(x, step, 'user', 'id', idOf(member));
    if (step.operation === 'read_profile') this.#add(x, step, 'user', 'id', idOf(resource(x)));
    this.#add(x, step, 'cursor', 'next_cursor', text(metaOf(x).next_cursor));
  }

  #add(x: Exchange, step: Step, kind: string, member: Origin['member'], value: string | undefined): void {
    if (value === undefined || this.#origins.has(value)) return;
    const nth = nthOf(x.text, member, value);
    if (nth === undefined) return;
    this.#origins.set(value, { step, kind, member, nth });
    this.#shown.set(step.number, [...(this.#shown.get(step.number) ?? []), value]);
  }
}
