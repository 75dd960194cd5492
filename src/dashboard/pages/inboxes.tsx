// The inbox: a receiver for those who have none. What each box was sent, and how it answers next.

import { clipped } from '../../mock/control/fault-words.ts';
import type { Box as InboxBox, InboxMessage } from '../../mock/control/inbox.ts';
import type { Context } from '../context.ts';
import { BarForm, FilterForm } from '../fields.tsx';
import { Icon } from '../icons.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Empty, formatNumber, Link, LinkButton, Mono, Muted, PageHead, RelativeTime } from '../parts.tsx';
import { type Column, Pager, Table } from '../table.tsx';
import { BodyCode, HeaderList, MethodName, StatusChip } from '../traffic-parts.tsx';
import { Ahead, INBOX, inboxAt, listIn, WEBHOOKS, WebhookTabs } from './webhook-parts.tsx';

const MOST_BOXES = 100;
const MOST_MESSAGES = 10;
const LONGEST = 6000;

const columnsOf = (context: Context): readonly Column<readonly [string, InboxBox]>[] => [
  ['Box', ([name]) => <Link to={context.href(INBOX, { name })} says={clipped(name, 60)} />],
  ['Address', ([name]) => <Mono text={clipped(inboxAt(context, name), 160)} copy />],
  ['Received', ([, { received }]) => formatNumber(received), 'number'],
  ['Last', ([name]) => <RelativeTime at={context.instance.inbox.messages(name).at(-1)?.at} context={context} />, 'nowrap'],
  ['Answers next', ([, { statuses }]) => <StatusChip status={statuses[0] ?? 200} />],
];

const Boxes = ({ context }: { context: Context }) => {
  const boxes = [...context.instance.inbox.boxes].slice(-MOST_BOXES).reverse();
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
        <Table label="Boxes" columns={columnsOf(context)} rows={boxes} id={([name]) => `box ${name}`} heading={0}>
          <Empty title="Nothing was received yet" curl={`curl -X POST "${inboxAt(context, 'mine')}" -d 'hello'`}>
            <a href={context.href(WEBHOOKS, { new: 1 })}>Register</a> <code>{inboxAt(context, 'mine')}</code> as a receiver, or
            send something there yourself:
          </Empty>
        </Table>
      </Card>
    </>
  );
};

const Message = ({ message, context, open }: { message: InboxMessage; context: Context; open: boolean }) => {
  const { id, at, method, query, headers, body, text, status } = message;
  return (
    <details class="message" open={open} id={`message-${id}`}>
      <summary>
        <Icon name="right" />
        <span class="strong">{id}</span>
        <MethodName method={method} />
        {query === '' ? null : <span class="path">{clipped(query, 120)}</span>}
        <RelativeTime at={at} context={context} />
        <Muted>response</Muted> <StatusChip status={status} />
      </summary>
      <div class="stack">
        <HeaderList headers={headers} />
        <BodyCode body={text === '' ? null : (body ?? text)} label={`Copy the body of ${id}`} most={LONGEST} />
      </div>
    </details>
  );
};

const Box = ({ context, name }: { context: Context; name: string }) => {
  const { inbox } = context.instance;
  const messages = inbox.messages(name);
  const from = Math.max(0, Math.floor(Number(context.query('from'))) || 0);
  const end = Math.max(0, messages.length - from);
  const older = Math.max(0, end - MOST_MESSAGES);
  const shown = context.instance.showing().hidden(messages.slice(older, end).reverse());
  const ahead = inbox.ahead(name);
  return (
    <>
      <PageHead title={clipped(name, 80)} says={<Mono text={clipped(inboxAt(context, name), 200)} copy="Copy the address" />}>
        <LinkButton to={context.href(INBOX)} says="All boxes" kind="quiet" />
      </PageHead>
      <Card title="How it responds" says="200, unless you set the next responses here.">
        <Ahead ordered={ahead} most={20} />
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
          shown.map((message, i) => <Message message={message} context={context} open={i === 0} />)
        ) : (
          <Empty title="Nothing was received yet" curl={`curl -X POST "${inboxAt(context, name)}" -d 'hello'`}>
            <a href={context.href(WEBHOOKS, { new: 1 })}>Register</a> this address as a receiver, or send something there
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

const statusesIn = (form: URLSearchParams) =>
  listIn(form.get('statuses') ?? '').map((status) => (typeof status === 'number' ? status : 'none'));

export const inbox: DashboardPage = {
  id: 'inbox',
  path: INBOX,
  title: 'Inbox',
  live: ['delivery', 'state'],
  examples: { inbox: INBOX, 'inbox-box': `${INBOX}?name=orders`, 'inbox-empty-box': `${INBOX}?name=mine` },
  render: (context) => {
    const name = context.query('name')?.trim() ?? '';
    return name === '' ? <Boxes context={context} /> : <Box context={context} name={name} />;
  },
  actions: {
    respond: makeCallAction(
      'respondWith',
      ({ statuses }) => (statuses.length > 0 ? `The next responses: ${statuses.join(', ')}.` : 'It responds with 200 again.'),
      (form) => ({ variable: form.get('name') ?? '', body: { statuses: statusesIn(form) } }),
    ),
  },
};
