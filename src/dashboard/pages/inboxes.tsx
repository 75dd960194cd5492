// The inbox: a receiver for those who have none. What each box was sent, and how it answers next.
import type { InboxMessage, Box as Kept } from '../../control/inbox.ts';
import type { Context } from '../context.ts';
import { BarForm } from '../fields.tsx';
import { Icon } from '../icons.tsx';
import { calling, type Page } from '../page.ts';
import { Card, Empty, Link, LinkButton, Mono, PageHead, Time } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { Body, clipped, Headers, Method, Status } from '../traffic-parts.tsx';
import { Ahead, INBOX, listIn, WEBHOOKS, WebhookTabs } from './webhook-parts.tsx';

const MOST_BOXES = 100;
const MOST_MESSAGES = 10;
const LONGEST = 6000;

const addressOf = ({ url, base }: Context, name: string): string =>
  `${url.origin}${base}/_mock/inbox/${encodeURIComponent(name)}`;

const columnsOf = (context: Context): readonly Column<readonly [string, Kept]>[] => [
  ['Box', ([name]) => <Link to={context.href(INBOX, { name })} says={clipped(name, 60)} />],
  ['Address', ([name]) => <Mono text={clipped(addressOf(context, name), 160)} copy />],
  ['Received', ([, { received }]) => received.toLocaleString('en'), 'number'],
  ['Last', ([, { messages }]) => <Time at={messages.at(-1)?.at} context={context} />, 'nowrap'],
  ['Answers next', ([, { statuses }]) => <Status status={statuses[0] ?? 200} />],
];

const Boxes = ({ context }: { context: Context }) => {
  const boxes = [...context.instance.inbox.boxes].slice(-MOST_BOXES).reverse();
  return (
    <>
      <PageHead
        title="Inbox"
        says="A built-in receiver: any name is an address. It keeps what it is sent and answers as it is told."
      >
        <form method="get" action={context.href(INBOX)} class="row" aria-label="Open a box">
          <label for="box-name">Open a box</label>
          <input id="box-name" name="name" type="text" class="narrow" placeholder="mine" autocomplete="off" />
          <button type="submit" class="button">
            Open
          </button>
        </form>
      </PageHead>
      <WebhookTabs context={context} current="inbox" />
      <Card live="boxes" flush>
        {boxes.length > 0 ? (
          <Table label="Boxes" columns={columnsOf(context)} rows={boxes} id={([name]) => `box ${name}`} heading={0} />
        ) : (
          <Empty title="Nothing was received yet" curl={`curl -X POST "${addressOf(context, 'mine')}" -d 'hello'`}>
            <a href={context.href(WEBHOOKS, { new: 1 })}>Register</a> <code>{addressOf(context, 'mine')}</code> as a receiver, or
            send something there yourself:
          </Empty>
        )}
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
        <Method method={method} />
        {query === '' ? null : <span class="path">{clipped(query, 120)}</span>}
        <Time at={at} context={context} />
        <span class="muted">answered</span> <Status status={status} />
      </summary>
      <div class="stack">
        <Headers headers={headers} />
        <Body body={text === '' ? null : (body ?? text)} label={`Copy the body of ${id}`} most={LONGEST} />
      </div>
    </details>
  );
};

const Box = ({ context, name }: { context: Context; name: string }) => {
  const { inbox } = context.instance;
  const messages = inbox.messages(name);
  const from = Math.max(0, Math.floor(Number(context.query('from') ?? 0)) || 0);
  const shown = context.instance.showing().hidden(
    messages
      .slice(0, messages.length - from)
      .slice(-MOST_MESSAGES)
      .reverse(),
  );
  const older = messages.length - from - shown.length;
  const ahead = inbox.ahead(name);
  return (
    <>
      <PageHead title={clipped(name, 80)} says={<Mono text={clipped(addressOf(context, name), 200)} copy="Copy the address" />}>
        <LinkButton to={context.href(INBOX)} says="All boxes" kind="quiet" />
      </PageHead>
      <Card title="How it answers" says="200, unless the next answers are ordered here.">
        <Ahead ordered={ahead} most={20} />
        <BarForm
          context={context}
          action="respond"
          label="Order the next answers"
          hidden={{ name }}
          fields={[{ name: 'statuses', label: 'Next statuses', value: ahead.join(', '), placeholder: '500, 500, 200' }]}
          says="Order"
        />
      </Card>
      <Card title="Messages" says="The last 200 are kept." live="messages">
        {shown.length > 0 ? (
          shown.map((message, i) => <Message message={message} context={context} open={i === 0} />)
        ) : (
          <Empty title="Nothing was received yet" curl={`curl -X POST "${addressOf(context, name)}" -d 'hello'`}>
            <a href={context.href(WEBHOOKS, { new: 1 })}>Register</a> this address as a receiver, or send something there
            yourself:
          </Empty>
        )}
        {from > 0 || older > 0 ? (
          <nav class="row" aria-label="Pages of the messages">
            {from > 0 ? <LinkButton to={context.here({ from: undefined })} says="Newest" small /> : null}
            {older > 0 ? <LinkButton to={context.here({ from: from + shown.length })} says="Older" small rel="next" /> : null}
          </nav>
        ) : null}
      </Card>
    </>
  );
};

const statusesIn = (form: URLSearchParams) =>
  listIn(form.get('statuses') ?? '').map((status) => (typeof status === 'number' ? status : 'none'));

export const inbox: Page = {
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
    respond: calling(
      'respondWith',
      ({ statuses }) => (statuses.length > 0 ? `The next answers: ${statuses.join(', ')}.` : 'It answers 200 again.'),
      (form) => ({ variable: form.get('name') ?? '', body: { statuses: statusesIn(form) } }),
    ),
  },
};
