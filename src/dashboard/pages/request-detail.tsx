// One request: both messages, the checks behind the response, the changes, and what to try next.
import { clipText } from '../../mock/control/fault-words.ts';
import { nameCheck } from '../../service/contract/errors.ts';
import { exchangeNumber } from '../../service/http/journal-entries.ts';
import { rawPath } from '../../service/http/paths.ts';
import type { Context } from '../context.ts';
import { BarForm } from '../fields.tsx';
import type { DashboardPage } from '../page.ts';
import { ReproButton } from '../page-head.tsx';
import { AbsoluteTime, Card, Chip, CodeBlock, countWords, LinkButton, RestCount, ZoneName } from '../parts.tsx';
import { missingProblem } from '../respond.ts';
import { bugReportOf, snippetsOf } from '../snippets.ts';
import { BodyCode, CheckStep, HeaderList, MethodName, StatusChip } from '../traffic-parts.tsx';
import { drawCausedDeliveries, drawChanges } from './request-changes.tsx';
import { drawResend, resendRequest } from './resend.tsx';
import { timelineHref } from './timeline.tsx';
import { createOpenAction, WORLD_NAME_FIELD } from './world-list.tsx';

const MAX_REQUEST_CHARACTERS = { request: 8000, response: 16_000, path: 300, found: 600, snippet: 6000 };
const MAX_WARNINGS_SHOWN = 20;

/** @throws Problem 404 */
const loadRequest = ({ instance, asked: { variable } }: Context) => {
  const exchange = instance.journal.get(exchangeNumber(variable));
  if (exchange) return { exchange, entry: instance.showing().entry(exchange) };
  const says = `The journal has no request ${JSON.stringify(clipText(variable, 40))}. It keeps the last thousand of this world.`;
  throw missingProblem(says);
};
type ShownRequest = ReturnType<typeof loadRequest>;

/** Keys, users and workspaces by their names. */
const nameRecords = ({ world: { store, workspaces } }: Context, text: string): string =>
  text.replace(/\b(?:key|user|ws)_\w+/g, (id) => {
    const known = store.keys.get(id) ?? store.users.get(id);
    return known?.value.name ?? workspaces.get(id)?.name ?? id;
  });

const drawChecks = (context: Context, { entry }: ShownRequest) => {
  const refused = entry.status === 0 || entry.status >= 400;
  return (
    <Card title="Why" says="Each check in its order, up to the one that decided, with the part of the spec that asks for it.">
      <ol class="checks">
        {entry.why.map(({ check, found, part }, i) => {
          const kind = refused && i === entry.why.length - 1 ? 'refused' : 'passed';
          return (
            <CheckStep kind={kind} name={nameCheck(check)} part={part === 'mock' ? 'the mock' : `spec: ${part}`}>
              <span class="hidden">{kind}: </span>
              {clipText(check === 'key' ? nameRecords(context, found) : found, MAX_REQUEST_CHARACTERS.found)}
            </CheckStep>
          );
        })}
      </ol>
    </Card>
  );
};

const drawWarnings = (_: Context, { entry: { warnings } }: ShownRequest) =>
  warnings.length === 0 ? null : (
    <div class="notice warn">
      <p class="strong">Against the contract</p>
      <ul class="plain">
        {warnings.slice(0, MAX_WARNINGS_SHOWN).map(({ code, says }) => (
          <li>
            <code>{code}</code> {clipText(says, 300)}
          </li>
        ))}
      </ul>
      <RestCount of={warnings.length} shown={MAX_WARNINGS_SHOWN} />
    </div>
  );

const drawActions = (context: Context, { exchange: { place }, entry }: ShownRequest) => {
  const path = rawPath(`http://mock${entry.path}`).replace(/^\/v1/, '');
  const match = entry.operation ? { operation: entry.operation } : { method: entry.method, path: clipText(path, 400) };
  const fault = { ...match, key: entry.key_id ?? undefined, status: '503', times: '1' };
  const copies = { curl: 'Copy as curl', 'bug-report': 'Copy as bug report' };
  return (
    <div class="actions">
      {Object.entries(copies).map(([from, says]) => (
        <button type="button" class="button scripted" data-copy="" data-from={from}>
          {says}
        </button>
      ))}
      <LinkButton to="#again" says="Edit and send again" />
      <LinkButton to={`${context.href('/dashboard/faults', fault)}#new`} says="Fail the next" icon="faults" />
      {place === undefined ? null : <LinkButton to={timelineHref(context, { from: place })} says="What followed" />}
      <ReproButton context={context} />
    </div>
  );
};

const drawElsewhere = (context: Context, { entry }: ShownRequest) => {
  const since = context.instance.journal.next - 1 - exchangeNumber(entry.id);
  const { curl, fetch } = snippetsOf(context, entry);
  return (
    <Card title="Elsewhere">
      <div class="snippets">
        <CodeBlock text={clipText(curl, MAX_REQUEST_CHARACTERS.snippet)} language="curl" label="Copy as curl" id="curl" />
        <CodeBlock text={clipText(fetch, MAX_REQUEST_CHARACTERS.snippet)} language="fetch" label="Copy as fetch" />
      </div>
      <details class="fold">
        <summary>As a bug report</summary>
        <CodeBlock text={bugReportOf(context, entry)} label="Copy the bug report" id="bug-report" wrap />
      </details>
      <h3>Fork this world as it is now</h3>
      <p class="muted">
        {since === 0
          ? 'As it stands right after this request'
          : `With what ${countWords(since, 'request')} changed that came after this one`}
        . Its journal begins empty.
      </p>
      <BarForm context={context} action="fork" fields={[WORLD_NAME_FIELD]} says="Fork a world" />
    </Card>
  );
};

const drawRequestLinks = (context: Context, { exchange: { number } }: ShownRequest) => {
  const link = (to: number, label: string) =>
    context.instance.journal.get(to) && <LinkButton to={context.href(`/dashboard/requests/req_${to}`)} says={label} />;
  return [
    link(number - 1, 'Older'),
    link(number + 1, 'Newer'),
    <LinkButton to={context.href('/dashboard/requests')} says="All requests" kind="quiet" />,
  ];
};

const describeRequest = ({ world }: Context, { entry }: ShownRequest) => {
  const row = entry.key_id === null ? undefined : world.store.keys.get(entry.key_id);
  return (
    <span class="row">
      <StatusChip status={entry.status} />
      <span>{entry.operation ?? 'no operation'}</span>
      <span>
        <AbsoluteTime at={entry.at} from={0} /> <ZoneName />
      </span>
      {entry.duration_ms > 0 ? <span>{entry.duration_ms} ms</span> : null}
      <span>
        {row ? `${row.value.name} (${row.value.scope})` : 'no known key'}
        {entry.workspace_id === null ? '' : `, ${world.workspaces.get(entry.workspace_id)?.name ?? entry.workspace_id}`}
      </span>
      {entry.fault === null ? null : <Chip tone="bad">{entry.fault}</Chip>}
    </span>
  );
};

const drawMessages = (_: Context, { entry: { request, response, status } }: ShownRequest) => (
  <div class="sides">
    <Card title="Request">
      <HeaderList headers={request.headers} />
      <BodyCode body={request.body} label="Copy the body of the request" most={MAX_REQUEST_CHARACTERS.request} />
    </Card>
    <Card title="Response" side={<StatusChip status={status} />}>
      {status === 0 ? <p class="muted">The connection was closed instead of a response.</p> : null}
      <HeaderList headers={response.headers} />
      <BodyCode body={response.body} label="Copy the body of the response" most={MAX_REQUEST_CHARACTERS.response} />
    </Card>
  </div>
);

export const requestPage: DashboardPage<ShownRequest> = {
  id: 'request',
  path: '/dashboard/requests/{id}',
  title: 'Request',
  load: loadRequest,
  titled: (_, { entry: { status, method, path } }) => `${status === 0 ? 'closed' : status} ${method} ${clipText(path, 80)}`,
  heading: (_, { entry: { method, path } }) => (
    <span class="request-line">
      <MethodName method={method} /> <span class="path">{clipText(path, MAX_REQUEST_CHARACTERS.path)}</span>
    </span>
  ),
  says: describeRequest,
  side: drawRequestLinks,
  live: [],
  examples: {
    'request-list': '/dashboard/requests/req_1',
    'request-change': '/dashboard/requests/req_3',
    'request-refused': '/dashboard/requests/req_8',
  },
  parts: [
    drawActions,
    drawWarnings,
    drawChecks,
    (_, { exchange }) => drawChanges(exchange),
    (context, { exchange }) => drawCausedDeliveries(context, exchange),
    drawMessages,
    (context, { entry }) => drawResend(context, entry),
    drawElsewhere,
  ],
  actions: {
    resend: resendRequest,
    fork: createOpenAction((id, { instance }) => `This is ${id}: a copy of ${instance.id} as it stands now.`),
  },
};
