// A page of the dashboard: a row of the table in pages.ts; its actions, forms and notes.
import type { Child } from 'hono/jsx';
import type { FeedKind } from '../mock/control/feed.ts';
import type { ControlResponse } from '../mock/control/invoke.ts';
import type { ControlId } from '../mock/control/operations.ts';
import type { CallInput } from '../mock/control/recorder.ts';
import type { Context } from './context.ts';
import type { Done } from './form.ts';

/** @throws Problem, whose issues are shown at the form's fields */
export type Action = (context: Context, form: URLSearchParams) => Promise<Done> | Done;

interface ActionCall {
  readonly about: string;
  readonly form: URLSearchParams;
  readonly context: Context;
}

/** Makes an action of one call, about the form's `id` unless `given` says otherwise. */
export const makeCallAction =
  <Id extends ControlId>(
    id: Id,
    says: string | Done | ((response: ControlResponse<Id>, made: ActionCall) => string | Done),
    given?: (form: URLSearchParams, context: Context) => CallInput,
  ): Action =>
  async (context, form) => {
    const about = form.get('id') ?? '';
    const response = await context.call(id, { variable: about, ...given?.(form, context) });
    const done = typeof says === 'function' ? says(response, { about, form, context }) : says;
    return typeof done === 'string' ? { says: done } : done;
  };

type DrawPart<Shown> = { draw(context: Context, shown: Shown): Child | Promise<Child> }['draw'];

/** @typeParam Shown what `load` returns: what the other functions are about */
export interface DashboardPage<Shown = unknown> {
  /** Its name in tests and screenshots. */
  readonly id: string;
  /** Below the base of a world; `{...}` marks the variable, which `context.asked.variable` holds. */
  readonly path: string;
  readonly title: string;
  /** @throws Problem */
  load?(context: Context): Shown | Promise<Shown>;
  /** Its title in a browser's tab, where it is about one thing. */
  titled?(context: Context, shown: Shown): string;
  /** Its heading, where that is not its title. */
  heading?(context: Context, shown: Shown): Child;
  /** Below the heading. */
  says(context: Context, shown: Shown): Child;
  /** Beside the heading. */
  side?(context: Context, shown: Shown): Child;
  /** Its place in the navigation; absent: other pages lead to it. */
  readonly nav?: {
    readonly label: string;
    readonly icon: string;
    /** The second key of its shortcut: `g` and this letter. */
    readonly key: string;
    readonly group: 'Service' | 'Traffic' | 'Behaviour';
    /** Where it leads, when the path has a variable. */
    readonly to?: string;
  };
  /** Id of the page in the navigation that leads to it. */
  readonly within?: string;
  /** Shown in a frame of an app's page, without head and navigation. */
  readonly framed?: boolean;
  /** Events after which an open page fetches its live regions again. */
  readonly live: readonly FeedKind[];
  /** Everything below its head. */
  readonly parts: readonly DrawPart<Shown>[];
  readonly actions?: Readonly<Record<string, Action>>;
  /** Addresses at which tests, screenshots and the bench look at it, by a name for each; must hold with fixtures/demo.yaml after the traffic of src/test/traffic.mjs. */
  readonly examples: Readonly<Record<string, string>>;
}
