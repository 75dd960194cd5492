// The inbox, a built-in receiver: the messages of each box and its next responses.
import { clipText } from '../../mock/control/fault-words.ts';
import type { Box as InboxBox, InboxMessage } from '../../mock/control/inbox.ts';
import type { Context } from '../context.ts';
import { BarForm, FilterForm } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Empty, formatNumber, Icon, Link, LinkButton, Mono, Muted, PageHead, RelativeTime } from '../parts.tsx';
import { type Column, DataTable, Pager } from '../table.tsx';
import { BodyCode, HeaderList, MethodName, StatusChip } from '../traffic-parts.tsx';
import { INBOX_PATH, inboxUrl, OrderedOutcomes, parseOutcomes, WEBHOOKS_PATH, WebhookTabs } from './webhook-parts.tsx';

const MAX_BOX_ROWS = 100;
const MAX_MESSAGES_SHOWN = 10;
const MAX_MESSAGE_CHARACTERS = 6000;

const buildBoxColumns = (context: Context): readonly Column<readonly [string, InboxBox]>[] => [
  ['Box', ([name]) => <Link to={context.href(INBOX_PATH, { name })} says={clipText(name, 60)} />],
  ['Address', ([name]) => <Mono text={clipText(inboxUrl(context, name), 160)} copy />],
  ['Received', ([, { received }]) => formatNumber(received), 'number'],
  ['Last', ([name]) => <RelativeTime at={context.instance.inbox.messages(name).at(-1)?.at} context={context} />, 'nowrap'],
  ['Answers next', ([, { statuses }]) => <StatusChip status={statuses[0] ?? 200} />],
];

const renderBoxes = (context: Context) => {
  const boxes = [...context.instance.inbox.boxes].slice(-MAX_BOX_ROWS).reverse();
  return (
    <>
      <PageHead
        title="Inbox"
        says="A built-in receiver: any name is an address. It keeps what it gets and responds as you set it."
      >
        <FilterForm
          context={context}
          label="Open a box"
          fields={[{ name: 'name', label: 'Box', placeholder: 'mine' }]}
          says="Open"
        />
      </PageHead>
      <WebhookTabs context={context} />
      <Card live="boxes" flush>
        <DataTable label="Boxes" columns={buildBoxColumns(context)} rows={boxes} id={([name]) => `box ${name}`} heading={0}>
          <Empty title="Nothing was received yet" curl={`curl -X POST "${inboxUrl(context, 'mine')}" -d 'hello'`}>
            <a href={context.href(WEBHOOKS_PATH, { new: 1 })}>Register</a> <code>{inboxUrl(context, 'mine')}</code> as a receiver,
            or send something there yourself:
          </Empty>
        </DataTable>
      </Card>
    </>
  );
};

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
        <BodyCode body={text === '' ? null : (body ?? text)} label={`Copy the body of ${id}`} most={MAX_MESSAGE_CHARACTERS} />
      </div>
    </details>
  );
};

const renderBox = (context: Context, name: string) => {
  const { inbox } = context.instance;
  const messages = inbox.messages(name);
  const from = Math.max(0, Math.floor(Number(context.query('from'))) || 0);
  const end = Math.max(0, messages.length - from);
  const older = Math.max(0, end - MAX_MESSAGES_SHOWN);
  const shown = context.instance.showing().hidden(messages.slice(older, end).reverse());
  const ahead = inbox.ahead(name);
  return (
    <>
      <PageHead title={clipText(name, 80)} says={<Mono text={clipText(inboxUrl(context, name), 200)} copy="Copy the address" />}>
        <LinkButton to={context.href(INBOX_PATH)} says="All boxes" kind="quiet" />
      </PageHead>
      <Card title="How it responds" says="200, unless you set the next responses here.">
        <OrderedOutcomes ordered={ahead} most={20} />
        <BarForm
          context={context}
          action="respond"
          label="Set the next responses"
          hidden={{ name }}
          fields={[{ name: 'statuses', label: 'Next statuses', value: ahead.join(', '), placeholder: '500, 500, 200' }]}
          says="Set"
        />
      </Card>
      <Card title="Messages" says="The last 200 are kept." live="messages">
        {shown.length > 0 ? (
          shown.map((message, i) => <BoxMessage message={message} context={context} open={i === 0} />)
        ) : (
          <Empty title="Nothing was received yet" curl={`curl -X POST "${inboxUrl(context, name)}" -d 'hello'`}>
            <a href={context.href(WEBHOOKS_PATH, { new: 1 })}>Register</a> this address as a receiver, or send something there
            yourself:
          </Empty>
        )}
        {from > 0 || older > 0 ? (
          <Pager
            says=""
            back={from > 0 && [context.here({ from: undefined }), 'Newest']}
            next={older > 0 && [context.here({ from: from + shown.length }), 'Older']}
          />
        ) : null}
      </Card>
    </>
  );
};

const parseStatuses = (form: URLSearchParams) =>
  parseOutcomes(form.get('statuses') ?? '').map((status) => (typeof status === 'number' ? status : 'none'));

export const inboxPage: DashboardPage = {
  id: 'inbox',
  path: INBOX_PATH,
  title: 'Inbox',
  live: ['delivery', 'state'],
  examples: { inbox: INBOX_PATH, 'inbox-box': `${INBOX_PATH}?name=orders`, 'inbox-empty-box': `${INBOX_PATH}?name=mine` },
  render: (context) => {
    const name = context.query('name')?.trim() ?? '';
    return name === '' ? renderBoxes(context) : renderBox(context, name);
  },
  actions: {
    respond: makeCallAction(
      'respondWith',
      ({ statuses }) => (statuses.length > 0 ? `The next responses: ${statuses.join(', ')}.` : 'It responds with 200 again.'),
      (form) => ({ variable: form.get('name') ?? '', body: { statuses: parseStatuses(form) } }),
    ),
  },
};
