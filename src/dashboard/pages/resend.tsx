// Sends a request once more, as it was or changed: through the whole service, like one from outside.
import { Problem } from '../../service/contract/errors.ts';
import { createApp } from '../../service/http/app.ts';
import type { RequestEntry } from '../../service/http/journal-entries.ts';
import { wait } from '../../service/world/time.ts';
import type { Context } from '../context.ts';
import { type FieldRow, FieldsForm } from '../fields.tsx';
import { readTexts } from '../form.ts';
import type { Action } from '../page.ts';
import { Card, countWords } from '../parts.tsx';
import { prettyPrintBody } from '../traffic-parts.tsx';
import { listKeyOptions, REQUEST_METHODS } from './fault-form.tsx';
import { listCausedDeliveries } from './request-changes.tsx';

const MAX_RESEND_KEYS = 200;
const MAX_RESEND_CHARACTERS = 20_000;
/** A response that a fault delays or holds comes later than these turns of the event loop. */
const MAX_WAIT_TURNS = 20;

export const drawResend = (context: Context, { method, path, request, key_id }: RequestEntry) => {
  const body = request.body === null ? '' : prettyPrintBody(request.body);
  const long = body.length > MAX_RESEND_CHARACTERS;
  const offered = long ? { hint: 'What was sent is too long to be offered again.' } : { value: body };
  const fields: readonly FieldRow[] = [
    { name: 'method', label: 'Method', value: method, options: REQUEST_METHODS },
    { name: 'key', label: 'Key', value: key_id ?? '', options: [['', 'none'], ...listKeyOptions(context, MAX_RESEND_KEYS)] },
    { name: 'path', label: 'Path', value: path, width: 'wide' },
    { name: 'body', label: 'Body', lines: Math.min(16, body.split('\n').length + 1), width: 'wide', ...offered },
    { name: 'type', label: 'Content type', value: request.headers['content-type'] ?? 'application/json' },
  ];
  return (
    <Card title="Send it again" says="As it was, or changed. It counts and is written down like any other." id="again">
      <FieldsForm context={context} label="Send it again" fields={fields} action="resend" says="Send" />
    </Card>
  );
};

const buildRequest = (context: Context, form: URLSearchParams): Request => {
  const { method, key, path, body, type } = readTexts(form, 'method', 'key', 'path', 'body', 'type');
  const issue = 'must begin with /v1';
  if (!/^\/v1([/?]|$)/.test(path))
    throw new Problem(422, 'validation_error', `The path ${issue}.`, { fields: [{ field: 'path', issue }] });
  const value = context.world.store.keys.get(key)?.value.value;
  try {
    return new Request(`${context.url.origin}${context.base}${path}`, {
      method,
      headers: { ...(value ? { authorization: `Bearer ${value}` } : {}), ...(body === '' ? {} : { 'content-type': type }) },
      ...(body === '' ? {} : { body }),
    });
  } catch (error) {
    throw new Problem(422, 'validation_error', `No request can be made of this: ${(error as Error).message}`);
  }
};

export const resendRequest: Action = async (context, form) => {
  const request = buildRequest(context, form);
  const { running } = context.instance;
  const { journal } = running;
  const { next } = journal;
  const app = createApp({ service: () => running });
  void Promise.resolve(app.fetch(request)).catch(() => {});
  for (let turn = 0; turn < MAX_WAIT_TURNS && journal.next === next; turn++) await wait(0);
  const made = journal.get(next);
  if (!made) return { to: context.href('/dashboard/requests'), says: 'It is sent. Its response comes late, or is held.' };
  const caused = listCausedDeliveries(context, made).length;
  const status = made.aborted ? 'The connection was closed.' : `The response is ${made.response.status}.`;
  const also = caused > 0 ? ` ${countWords(caused, 'delivery')}.` : '';
  return { to: context.href(`/dashboard/requests/req_${next}`), says: status + also };
};
