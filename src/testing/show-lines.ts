// Requests, deliveries and warnings as lines that people read and that steer no terminal, and the world of a failed test in such lines.
import type { Mock } from '../mock/api/mock.ts';
import { escapeControls } from '../mock/api/report.ts';
import { nameCheck } from '../service/contract/errors.ts';
import type { RequestEntry } from '../service/http/journal-entries.ts';
import type { Delivery } from '../service/webhooks/delivery.ts';

const MAX_BODY_CHARS = 600;

export const formatBodyLines = (body: unknown): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > MAX_BODY_CHARS ? `${text.slice(0, MAX_BODY_CHARS)} … (${text.length} characters)` : text;
};

/** `req_3  09:00:00.000  GET /v1/tasks?limit=5 → 200  listTasks`. */
export const formatRequestLine = ({ id, at, method, path, status, operation, fault }: RequestEntry): string => {
  const call = `${method} ${path} → ${status || 'connection closed'}`;
  const parts = [id, at.slice(11, 23), call, operation ?? 'no operation', fault && `hit by ${fault}`];
  return escapeControls(parts.filter(Boolean).join('  '));
};

/** The reason of a refusal comes first: a reporter may cut the rest. */
export const explainRequest = ({ why, warnings, request, response, status }: RequestEntry): string[] => [
  ...(status >= 400 ? [...why.slice(-1), ...why.slice(0, -1)] : why).map(
    ({ check, found, part }) => `${nameCheck(check).padEnd(9)} ${found}  (${part})`,
  ),
  ...warnings.map(({ code, says }) => `warning   ${code}: ${says}`),
  ...(request.body === null ? [] : [`sent      ${formatBodyLines(request.body)}`]),
  ...(status >= 200 && status < 300 ? [] : [`response  ${formatBodyLines(response.body)}`]),
];

/** `del_1  task.updated → http://…  retrying, next attempt 2025-01-20T09:00:30.000Z`. */
export const formatDeliveryLine = ({ id, event: { event }, url, state, next_attempt_at: next, stopped }: Delivery): string =>
  escapeControls(`${id}  ${event} → ${url}  ${[state, next && `next attempt ${next}`, stopped].filter(Boolean).join(', ')}`);

export const formatAttempts = ({ attempts }: Delivery): string[] =>
  attempts.map(({ n, at, trigger, outcome, status, error, simulated, scripted, late_timestamp: late }) => {
    const end = outcome === 'response' ? String(status) : `${outcome}${error ? `: ${error}` : ''}`;
    const unsent = simulated ? 'simulated' : scripted ? 'scripted' : '';
    return [`attempt ${n}`, at, trigger, end, unsent, late ? `warning: ${late}` : ''].filter(Boolean).join('  ');
  });

export const indentLines = (lines: readonly string[]): string[] => lines.map((line) => `    ${escapeControls(line)}`);

/** @param more lines to put first */
export const formatRequest = (request: RequestEntry, more: readonly string[] = []): string[] => [
  `  ${formatRequestLine(request)}`,
  ...indentLines([...more, ...explainRequest(request)]),
];

/** @param more lines to put first */
export const formatDelivery = (delivery: Delivery, more: readonly string[] = []): string[] => [
  `  ${formatDeliveryLine(delivery)}`,
  ...indentLines([...more, ...formatAttempts(delivery)]),
];

const MAX_DESCRIBED = 100;

const describeNewest = <T>(title: string, all: readonly T[], linesOf: (one: T) => string[], rank = (_: T) => 0): string[] => {
  const left = all.length > MAX_DESCRIBED ? [`  … ${all.length - MAX_DESCRIBED} earlier ones are left out`] : [];
  const shown = all.slice(-MAX_DESCRIBED).sort((a, b) => rank(a) - rank(b));
  return ['', `${title}: ${all.length}`, ...left, ...shown.flatMap((one) => linesOf(one))];
};

export const describeWorld = ({ id, clock, faults, requests, deliveries }: Witness): string => {
  const ordered = faults.list();
  return [
    `wm-mock world ${id}, clock ${clock.now} (${clock.mode})`,
    ...describeNewest('Requests', requests, formatRequest, ({ status }) => (status > 0 && status < 400 ? 1 : 0)),
    ...describeNewest('Deliveries', deliveries, formatDelivery),
    ...(ordered.length === 0 ? [] : describeNewest('Faults', ordered, (fault) => [`  ${escapeControls(JSON.stringify(fault))}`])),
    '',
  ].join('\n');
};

/** A mock, or one of its worlds. */
export type Witness = Pick<Mock, 'id' | 'clock' | 'requests' | 'deliveries' | 'faults'> & Partial<Pick<Mock, 'compatibility'>>;
