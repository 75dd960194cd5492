// Whether a delivery's signature holds: checked with the registration's secret, with the text that was signed.

import { clipped } from '../../mock/control/fault-words.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import { SIGNATURE_HEADER, type SignatureProfile, signedText, TIMESTAMP_HEADER, verify } from '../../service/webhooks/sign.ts';
import type { Context } from '../context.ts';
import { Card, Chip, Code, Facts } from '../parts.tsx';

const MAX_SIGNED_CHARACTERS = 6000;

const SIGNING_METHODS: Readonly<Record<SignatureProfile, string>> = {
  hex: 'Hex HMAC-SHA256, with the secret, of the timestamp, a dot and the body as it came.',
  stripe: 'After `t=…,v1=`: hex HMAC-SHA256 of the timestamp, a dot and the body as it came.',
  github: 'After `sha256=`: hex HMAC-SHA256 of the body as it came.',
  'standard-webhooks':
    'After `v1,`: base64 HMAC-SHA256 of event id, timestamp and body, joined by dots; the secret is base64 after `whsec_`.',
};
const VERDICT_TONES = { 'not checked': 'plain', verified: 'good', 'does not verify': 'bad' } as const;
/** For signatures in hex. */
const SIGN_COMMAND = 'printf "%s" "$SIGNED" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"';

/** The card; a promise, for signatures are checked by the platform. */
export const renderSignature = async (context: Context, delivery: Delivery) => {
  const { request, event, attempts, webhook_id } = delivery;
  const given = request.headers[SIGNATURE_HEADER];
  const profile = attempts.at(-1)?.signature_profile ?? context.world.choices.signature;
  const secret = context.world.store.webhooks.get(webhook_id)?.value.secret;
  const checked =
    given === undefined || secret === undefined ? undefined : await verify(profile, secret, request.headers, request.body);
  const verdict = checked === undefined ? 'not checked' : checked ? 'verified' : 'does not verify';
  const signed = signedText(profile, { id: event.id, timestamp: request.headers[TIMESTAMP_HEADER] ?? '', body: request.body });
  const sent = [
    [SIGNATURE_HEADER, clipped(given ?? '', 200), 'path'],
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
        <Code text={clipped(context.instance.showing().text(signed), MAX_SIGNED_CHARACTERS)} label="Copy what is signed" wrap />
      </div>
      {profile === 'standard-webhooks' ? null : (
        <Code text={SIGN_COMMAND} language="To check it yourself" label="Copy the command" />
      )}
    </Card>
  );
};
