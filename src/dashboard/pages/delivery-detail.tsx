// One delivery: its attempts in time with the one to come, what was sent, what came back, and whether the signature holds.
import { clipText } from '../../mock/control/fault-words.ts';
import { ACKNOWLEDGE_MS } from '../../service/contract/limits.ts';
import { type Attempt, acknowledged, type Delivery } from '../../service/webhooks/delivery.ts';
import { SIGNATURE_HEADER, type SignatureProfile, signedText, TIMESTAMP_HEADER, verify } from '../../service/webhooks/sign.ts';
import { CLOCK_STEPS, drawCountdown } from '../clock-bar.tsx';
import type { Context } from '../context.ts';
import { WordChip } from '../data/cells.tsx';
import { BarForm } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { AbsoluteTime, Card, Chip, CodeBlock, Facts, LinkButton, Mono, Muted, RestCount, ZoneName } from '../parts.tsx';
import { missingProblem } from '../respond.ts';
import { BodyCode, CheckStep, HeaderList } from '../traffic-parts.tsx';
import { timelineHref } from './timeline.tsx';
import { AttemptOutcome, DELIVERIES_PATH, SimulateForm, simulateAction, subjectOf, WEBHOOKS_PATH } from './webhook-parts.tsx';

const MAX_ATTEMPT_ROWS = 40;
const MAX_SENT = { body: 12_000, excerpt: 2000, error: 400, signed: 6000 };

/** @returns the delivery as it is kept, and as it is shown, without secrets @throws Problem 404 */
const loadDelivery = ({ instance, asked: { variable } }: Context) => {
  const found = instance.webhooks.deliveries.get(variable);
  if (found) return { found, delivery: instance.showing().hidden(found) };
  throw missingProblem(`The log has no delivery ${JSON.stringify(clipText(variable, 40))}. It keeps the last 5,000.`);
};
type ShownDelivery = ReturnType<typeof loadDelivery>;

const MAX_RETRIES = CLOCK_STEPS.length;

/** Retries are counted as their schedule counts them. */
const nameAttempt = ({ n, trigger }: Attempt, all: readonly Attempt[]): string => {
  if (trigger !== 'retry') return trigger === 'event' ? 'first attempt' : `${n}. replay`;
  return `retry ${all.filter((one) => one.trigger === 'retry' && one.n <= n).length} of ${MAX_RETRIES}`;
};

const AttemptStep = ({ attempt, name, isLast }: { attempt: Attempt; name: string; isLast: boolean }) => (
  <CheckStep
    kind={acknowledged(attempt) ? 'passed' : 'refused'}
    name={name}
    part={<AbsoluteTime at={attempt.at} />}
    look="row"
    id={`attempt-${attempt.n}`}
  >
    <AttemptOutcome attempt={attempt} />
    {attempt.signature_ok ? null : <Chip tone="bad">signature does not verify</Chip>}
    {attempt.scripted || attempt.simulated ? (
      <Chip tone="info">{attempt.scripted ? 'as ordered' : 'simulated'}, nothing sent</Chip>
    ) : (
      <Muted>{attempt.outcome === 'timeout' ? `no response in ${ACKNOWLEDGE_MS / 1000} s` : `${attempt.duration_ms} ms`}</Muted>
    )}
    {attempt.error && !attempt.scripted ? <span>{clipText(attempt.error, MAX_SENT.error)}</span> : null}
    {attempt.response_excerpt ? (
      <details class="fold" open={isLast}>
        <summary>Its response</summary>
        <BodyCode body={attempt.response_excerpt} label={`Copy the response to attempt ${attempt.n}`} most={MAX_SENT.excerpt} />
      </details>
    ) : null}
  </CheckStep>
);

const drawAttempts = (context: Context, { delivery }: ShownDelivery) => {
  const { attempts, next_attempt_at: next, state, stopped } = delivery;
  const tried = attempts.length;
  const after = CLOCK_STEPS.slice(tried).map(({ says }) => says);
  const ahead = tried === 0 ? 'first attempt' : `retry ${tried} of ${MAX_RETRIES}`;
  const late = attempts.findLast((attempt) => attempt.late_timestamp)?.late_timestamp;
  return (
    <Card
      title="Attempts"
      says="Any 2xx within 10 s acknowledges. After a failure it is tried again, five times at most."
      live="attempts"
      side={<WordChip word={state} />}
    >
      <RestCount of={tried} shown={MAX_ATTEMPT_ROWS} says="earlier ones." />
      <ol class="checks attempts">
        {attempts.slice(-MAX_ATTEMPT_ROWS).map((attempt) => (
          <AttemptStep attempt={attempt} name={nameAttempt(attempt, attempts)} isLast={attempt === attempts.at(-1)} />
        ))}
        {next === null ? null : (
          <CheckStep kind="ahead" name={ahead} part={<AbsoluteTime at={next} />}>
            {drawCountdown(context, Date.parse(next))}
            <Muted>{after.length > 0 ? `; if it fails, again after ${after.join(', then ')}` : '; it is the last'}</Muted>
          </CheckStep>
        )}
        {state === 'failed' ? (
          <CheckStep kind="ahead" name="given up" look="muted">
            {stopped ?? 'the last retry failed; only a replay tries once more'}
          </CheckStep>
        ) : null}
      </ol>
      {late ? <p class="late">{late}</p> : null}
    </Card>
  );
};

const drawDeliveryFacts = (context: Context, { id, webhook_id, workspace_id, event }: Delivery) => {
  const known = context.world.store.webhooks.get(webhook_id) !== undefined;
  const registration = context.href(WEBHOOKS_PATH, { id: webhook_id });
  const facts: Parameters<typeof Facts>[0]['of'] = [
    ['Delivery', <Mono text={id} copy />],
    ['Event', <Mono text={event.id} copy />],
    ['Announced', [<AbsoluteTime at={event.created_at} />, ' ', <ZoneName />]],
    ['Registration', known ? <a href={registration}>{webhook_id}</a> : `${webhook_id}, deleted since`],
    ['Workspace', context.world.workspaces.get(workspace_id)?.name ?? workspace_id],
  ];
  return (
    <Card title="About">
      <Facts of={facts} />
      {known ? <SimulateForm context={context} id={webhook_id} /> : null}
    </Card>
  );
};

const SIGNING_METHODS: Readonly<Record<SignatureProfile, string>> = {
  hex: 'Hex HMAC-SHA256, with the secret, of the timestamp, a dot and the body as it came.',
  stripe: 'After `t=…,v1=`: hex HMAC-SHA256 of the timestamp, a dot and the body as it came.',
  github: 'After `sha256=`: hex HMAC-SHA256 of the body as it came.',
  'standard-webhooks':
    'After `v1,`: base64 HMAC-SHA256 of event id, timestamp and body, joined by dots; the secret is base64 after `whsec_`.',
};
const VERDICT_TONES = { 'not checked': 'plain', verified: 'good', 'does not verify': 'bad' } as const;
const HEX_SIGN_COMMAND = 'printf "%s" "$SIGNED" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"';

/** A promise, because the platform checks signatures asynchronously. */
const drawSignature = async (context: Context, { found }: ShownDelivery) => {
  const { request, event, attempts, webhook_id } = found;
  const given = request.headers[SIGNATURE_HEADER];
  const profile = attempts.at(-1)?.signature_profile ?? context.world.choices.signature;
  const secret = context.world.store.webhooks.get(webhook_id)?.value.secret;
  const checked =
    given === undefined || secret === undefined ? undefined : await verify(profile, secret, request.headers, request.body);
  const verdict = checked === undefined ? 'not checked' : checked ? 'verified' : 'does not verify';
  const signed = signedText(profile, { id: event.id, timestamp: request.headers[TIMESTAMP_HEADER] ?? '', body: request.body });
  const sent = [
    [SIGNATURE_HEADER, clipText(given ?? '', 200), 'path'],
    [TIMESTAMP_HEADER, request.headers[TIMESTAMP_HEADER], 'path'],
  ] as const;
  return (
    <Card title="Signature" says={SIGNING_METHODS[profile]} side={<Chip tone={VERDICT_TONES[verdict]}>{verdict}</Chip>}>
      {given === undefined ? <p class="muted">It is signed when the first attempt is made.</p> : null}
      {given !== undefined && secret === undefined ? (
        <p class="muted">The registration was deleted, and its secret with it: there is nothing to check with.</p>
      ) : null}
      {given === undefined ? null : <Facts of={sent} />}
      <div class="stack gap-small">
        <h3>What is signed, byte for byte</h3>
        <CodeBlock text={clipText(context.instance.showing().hidden(signed), MAX_SENT.signed)} label="Copy what is signed" wrap />
      </div>
      {profile === 'standard-webhooks' ? null : (
        <CodeBlock text={HEX_SIGN_COMMAND} language="To check it yourself" label="Copy the command" />
      )}
    </Card>
  );
};

const drawSent = (context: Context, { delivery }: ShownDelivery) => (
  <div class="sides">
    <Card title="Sent" side={<span class="method post">POST</span>}>
      <HeaderList headers={delivery.request.headers} />
      <BodyCode body={delivery.request.body} label="Copy the body" most={MAX_SENT.body} />
    </Card>
    {drawDeliveryFacts(context, delivery)}
  </div>
);

export const deliveryPage: DashboardPage<ShownDelivery> = {
  id: 'delivery',
  path: `${DELIVERIES_PATH}/{id}`,
  title: 'Delivery',
  load: loadDelivery,
  titled: (_, { found: { state, event } }) => `${state} ${event.event}`,
  heading: (_, { delivery }) => delivery.event.event,
  says: (_, { delivery }) => <span class="path">{clipText(delivery.url, 300)}</span>,
  side: (context, { delivery, delivery: { state } }) => [
    state === 'delivered' || state === 'failed' ? (
      <BarForm context={context} action="replay" says="Replay" kind="primary" />
    ) : (
      <Muted>It can be replayed once it is settled.</Muted>
    ),
    <LinkButton to={timelineHref(context, { record: subjectOf(delivery).id })} says="Timeline" />,
    <LinkButton to={context.href(DELIVERIES_PATH)} says="All deliveries" kind="quiet" />,
  ],
  live: ['delivery', 'clock', 'state'],
  examples: {
    delivery: `${DELIVERIES_PATH}/dlv_83wn4z8c7y5bfa6g`,
    'delivery-failed': `${DELIVERIES_PATH}/dlv_dfqmgv1aygapbxhg`,
    'delivery-retrying': `${DELIVERIES_PATH}/dlv_rm8qm094we55mb6y`,
  },
  parts: [drawAttempts, drawSent, drawSignature],
  actions: {
    simulate: simulateAction,
    replay: makeCallAction(
      'replayDelivery',
      () => 'It is sent once more, with the same event and the same bytes.',
      (_, { asked: { variable } }) => ({ variable }),
    ),
  },
};
