// A call of the control API made from inside: the functions of its table, with the checks of its bodies.
import { Problem } from '../../service/contract/errors.ts';
import type { Is } from '../../service/contract/schema.ts';
import { rawPath } from '../../service/http/paths.ts';
import type { Calls } from './call.ts';
import { bodyFindings } from './call-checks.ts';
import { clockCalls } from './calls/clock.ts';
import { dataCalls } from './calls/data.ts';
import { faultCalls } from './calls/faults.ts';
import { journalCalls } from './calls/journal.ts';
import { releaseCalls } from './calls/release.ts';
import { timelineCalls } from './calls/timeline.ts';
import { webhookCalls } from './calls/webhooks.ts';
import { workspaceCalls } from './calls/workspaces.ts';
import { worldCalls } from './calls/worlds.ts';
import { refusalOf } from './checks.ts';
import { eventStream } from './events.ts';
import type { Host } from './host.ts';
import type { Instance } from './instance.ts';
import { type CONTROL, type ControlId, controlRow } from './operations.ts';

export const calls: Required<Calls> = {
  ...worldCalls,
  ...clockCalls,
  ...workspaceCalls,
  ...dataCalls,
  ...webhookCalls,
  ...journalCalls,
  ...faultCalls,
  ...releaseCalls,
  ...timelineCalls,
  listen: ({ host, instance, request }) =>
    eventStream(instance, host, host.options.restStreams, request.headers.get('last-event-id') ?? undefined),
  panel: async ({ host }) => {
    const text = await host.options.panelScript?.();
    if (text === undefined)
      throw new Problem(404, 'not_found', 'The panel is not part of this build: import wm-mock/panel in your page.');
    // Any page may load it, as a script or as a module: it holds nothing of this mock.
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

type Table = typeof CONTROL;
/** What a call responds; undefined where its row names no response. */
export type ControlResponse<Id extends ControlId> = Table[Id] extends { response: infer S } ? Is<S> : undefined;

export interface Given {
  readonly variable?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Unchecked. */
  readonly body?: unknown;
}

/** Makes a call. @throws Problem as the control API would answer it. */
export const invoke = async <Id extends ControlId>(
  id: Id,
  at: { readonly host: Host; readonly instance: Instance; readonly request: Request },
  { variable = '', query = {}, body }: Given = {},
): Promise<ControlResponse<Id>> => {
  const { body: schema } = controlRow(id);
  const findings = schema ? bodyFindings(id, body ?? {}) : [];
  if (findings.length > 0) throw refusalOf(findings);
  const call = { ...at, variable, query, body: schema ? (body ?? {}) : undefined };
  return (await (calls[id] as (call: unknown) => unknown)(call)) as ControlResponse<Id>;
};
