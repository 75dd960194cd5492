// Makes a call of the control API: the only place where anything but a request to /v1 changes a world.
import { Problem } from '../../service/contract/errors.ts';
import type { Is } from '../../service/contract/schema.ts';
import { rawPath } from '../../service/http/paths.ts';
import type { Call, Calls } from './call.ts';
import { clockCalls } from './calls/clock.ts';
import { dataCalls, workspaceCalls } from './calls/data.ts';
import { faultCalls } from './calls/faults.ts';
import { journalCalls } from './calls/journal.ts';
import { releaseCalls } from './calls/release.ts';
import { webhookCalls } from './calls/webhooks.ts';
import { worldCalls } from './calls/worlds.ts';
import { eventStream } from './events.ts';
import type { CONTROL, ControlId } from './operations.ts';
import type { CallInput, CallRow } from './recorder.ts';

const calls: Required<Calls> = {
  ...worldCalls,
  ...clockCalls,
  ...workspaceCalls,
  ...dataCalls,
  ...webhookCalls,
  ...journalCalls,
  ...faultCalls,
  ...releaseCalls,
  listen: ({ host, instance, request }) =>
    eventStream(instance, host, host.options.restStreams, request.headers.get('last-event-id') ?? undefined),
  panel: async ({ host }) => {
    const text = await host.options.panelScript?.();
    if (text === undefined)
      throw new Problem(404, 'not_found', 'The panel is not part of this build: import wm-mock/panel in your page.');
    // Any page may load it: it contains no data.
    const shared = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
    return new Response(text, {
      headers: { ...shared, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
    });
  },
  document: async ({ request }) => {
    const { controlOpenApi } = await import('./openapi.ts');
    return controlOpenApi(rawPath(request.url).replace(/\/openapi\.json$/, ''));
  },
};

/** Undefined where the row has no response. */
export type ControlResponse<Id extends ControlId> = (typeof CONTROL)[Id] extends { response: infer S } ? Is<S> : undefined;

export interface CallSite extends Pick<Call<ControlId>, 'host' | 'instance' | 'request'> {
  /** The cause on the timeline. */
  readonly title: string;
  /** Whether the request is already recorded. */
  readonly isNoted?: boolean;
}

export const changesWorld = ({ call, aside }: Pick<CallRow, 'call' | 'aside'>): boolean => !call.startsWith('GET ') && !aside;

/** Makes a call with checked input. @returns its response or a promise of it @throws Problem */
export const invoke = (row: CallRow, { title, isNoted = false, ...site }: CallSite, input: CallInput): unknown => {
  const { instance } = site;
  const { variable = '', query = {}, body, seed } = input;
  const act = () => (calls[row.id as ControlId] as (call: unknown) => unknown)({ ...site, variable, query, body, seed });
  if (!changesWorld(row)) return act();
  const change = () => instance.act(title, act);
  return instance.recorder && !isNoted ? instance.recorder.noteCall(row, input, change) : change();
};
