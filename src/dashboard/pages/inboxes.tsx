// The inbox, a built-in receiver: the messages of each box and its next responses.
import { clipText } from '../../mock/control/fault-words.ts';
import type { Box as InboxBox, InboxMessage } from '../../mock/control/inbox.ts';
import type { Context } from '../context.ts';
import { BarForm, FilterForm } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Empty, formatNumber, Icon, Link, LinkButton, Mono, Muted, RelativeTime } from '../parts.tsx';
import { type Column, Pager, TableCard } from '../table.tsx';
import { BodyCode, HeaderList, MethodName, StatusChip } from '../traffic-parts.tsx';
import { drawWebhookTabs, INBOX_PATH, inboxUrl, OrderedOutcomes, parseOutcomes, WEBHOOKS_PATH } from './webhook-parts.tsx';

const MAX_INBOX = { boxes: 100, messages: 10, characters: 6000 };

const buildBoxColumns = (context: Context): readonly Column<readonly [string, InboxBox]>[] => [
  ['Box', ([name]) => <Link to={context.href(INBOX_PATH, { name })} says={clipText(name, 60)} />],
  ['Address', ([name]) => <Mono text={clipText(inboxUrl(context, name), 160)} copy />],
  ['Received', ([, { received }]) => formatNumber(received), 'number'],
  ['Last', ([name]) => <RelativeTime at={context.instance.inbox.messages(name).at(-1)?.at} context={context} />, 'nowrap'],
  ['Next status', ([, { statuses }]) => <StatusChip status={statuses[0] ?? 200} />],
];

const drawNothing = (context: Context, name: string) => (
  <Empty title="Nothing was received yet" curl={`curl -X POST "${inboxUrl(context, name)}" -d 'hello'`}>
    <a href={context.href(WEBHOOKS_PATH, { new: 1 })}>Register</a> <code>{inboxUrl(context, name)}</code> as a receiver, or send
    something there yourself:
  </Empty>
);

const drawBoxes = (context: Context) => (
  <TableCard
    label="Boxes"
    live="boxes"
    columns={buildBoxColumns(context)}
    rows={[...context.instance.inbox.boxes].slice(-MAX_INBOX.boxes).reverse()}
    id={([name]) => `box ${name}`}
  >
    {drawNothing(context, 'mine')}
  </TableCard>
);

const BoxMessage = ({ message, context, open }: { message: InboxMessage; context: Context; open: boolean }) => {
  const { id, at, method, query, headers, body, text, status } = message;
  return (
    <details class="message" open={open} id={`message-${id}`}>
      <summary>
        <Icon name="right" />
        <span class="strong">{id}</span>
        <MethodName method={method} />
        {query === '' ? null : <span class="path">{clipText(query, 120)}</span>}
        <RelativeTime at={at} context={context} />
        <Muted>response</Muted> <StatusChip status={status} />
      </summary>
      <div class="stack">
        <HeaderList headers={headers} />
        <BodyCode body={text === '' ? null : (body ?? text)} label={`Copy the body of ${id}`} most={MAX_INBOX.characters} />
      </div>
    </details>
  );
};

const drawOrders = (context: Context, name: string) => {
  const ahead = context.instance.inbox.boxes.get(name)?.statuses ?? [];
  const value = ahead.join(', ');
  return (
    <Card title="How it responds" says="200, unless you set the next responses here.">
      <OrderedOutcomes ordered={ahead} most={20} />
      <BarForm
        context={context}
        action="respond"
        label="Set the next responses"
        hidden={{ name }}
        fields={[{ name: 'statuses', label: 'Next statuses', value, placeholder: '500, 500, 200' }]}
        says="Set"
      />
    </Card>
  );
};

const drawBoxMessages = (context: Context, name: string) => {
  const messages = context.instance.inbox.messages(name);
  const from = Math.max(0, Math.floor(Number(context.query('from'))) || 0);
  const end = Math.max(0, messages.length - from);
  const older = Math.max(0, end - MAX_INBOX.messages);
  const shown = context.instance.showing().hidden(messages.slice(older, end).reverse());
  return (
    <Card title="Messages" says="The last 200 are kept." live="messages">
      {shown.map((message, i) => (
        <BoxMessage message={message} context={context} open={i === 0} />
      ))}
      {shown.length === 0 ? drawNothing(context, name) : null}
      {from > 0 || older > 0 ? (
        <Pager
          says=""
          back={from > 0 && [context.here({ from: undefined }), 'Newest']}
          next={older > 0 && [context.here({ from: from + shown.length }), 'Older']}
        />
      ) : null}
    </Card>
  );
};

const parseStatuses = (form: URLSearchParams) =>
  parseOutcomes(form.get('statuses') ?? '').map((status) => (typeof status === 'number' ? status : 'none'));

export const inboxPage: DashboardPage<string> = {
  id: 'inbox',
  path: INBOX_PATH,
  title: 'Inbox',
  live: ['delivery', 'state'],
  examples: { inbox: INBOX_PATH, 'inbox-box': `${INBOX_PATH}?name=orders`, 'inbox-empty-box': `${INBOX_PATH}?name=mine` },
  load: (context) => context.query('name')?.trim() ?? '',
  heading: (_, name) => (name === '' ? 'Inbox' : clipText(name, 80)),
  says: (context, name) =>
    name === '' ? (
      'A built-in receiver: any name is an address. It keeps what it gets and responds as you set it.'
    ) : (
      <Mono text={clipText(inboxUrl(context, name), 200)} copy="Copy the address" />
    ),
  side: (context, name) =>
    name === '' ? (
      <FilterForm context={context} label="Open a box" fields={[{ name: 'name', label: 'Box' }]} says="Open" />
    ) : (
      <LinkButton to={context.href(INBOX_PATH)} says="All boxes" kind="quiet" />
    ),
  parts: [
    (context, name) => (name === '' ? [drawWebhookTabs(context), drawBoxes(context)] : drawOrders(context, name)),
    (context, name) => name !== '' && drawBoxMessages(context, name),
  ],
  actions: {
    respond: makeCallAction(
      'respondWith',
      ({ statuses }) => (statuses.length > 0 ? `The next responses: ${statuses.join(', ')}.` : 'It responds with 200 again.'),
      (form) => ({ variable: form.get('name') ?? '', body: { statuses: parseStatuses(form) } }),
    ),
  },
};
