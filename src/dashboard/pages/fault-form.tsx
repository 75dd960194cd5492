// The form for a fault: which requests or events, what happens to them, how often; and the draft that it means.
import { OPERATION_IDS } from '../../service/contract/operations.ts';
import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { readJson } from '../../service/validation/json-text.ts';
import { ANY_EVENT } from '../../service/world/fault-draft.ts';
import type { Context } from '../context.ts';
import { type FieldRow, FormFields, offerAny, PageForm, type SelectOptions, SubmitRow } from '../fields.tsx';
import { Card } from '../parts.tsx';

const MAX_FAULT_KEYS = 100;
export const REQUEST_METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const FAULT_STATUSES = ['400', '401', '403', '404', '409', '413', '422', '429', '500', '502', '503', '504'];
const BODY_EFFECTS = ['empty', 'malformed', 'truncated'];
const UNCHANGED = ['', 'as it is'] as const;
const CONNECTION_EFFECTS = [UNCHANGED, ['abort', 'closed instead of a response'], ['hold', 'held until you release it']] as const;
const EVENT_OPTIONS = [['', 'no event: requests'], [ANY_EVENT, 'every event'], ...EVENT_NAMES] as const;
const DELIVERY_EFFECTS = [
  UNCHANGED,
  ['duplicate', 'twice'],
  ['reorder', 'behind the next one'],
  ['bad_signature', 'with a wrong signature'],
] as const;
const DETAILS_EXAMPLE = '{"fields":[{"field":"title","issue":"is taken"}]}';
const STATUS_HINT = 'In the error shape of the API; nothing is performed.';
const BODY_HINT = 'The request runs; its response is then damaged.';
const RAW_HINT = 'In place of the error; needs a status.';
const EVENT_HINT = 'In place of requests; a delay counts on the clock of the world.';
const DELAY_EXAMPLE = '500, or 200-900';

export const listKeyOptions = ({ world }: Context, most: number): SelectOptions =>
  world.store.keys
    .all()
    .slice(0, most)
    .map(({ value: { id, name, scope } }) => [id, `${name} (${scope})`]);

const COMMON_FIELDS: readonly FieldRow[] = [
  { name: 'match.operation', label: 'Operation', options: offerAny(OPERATION_IDS) },
  { name: 'effect.status', label: 'Status', options: [UNCHANGED, ...FAULT_STATUSES], hint: STATUS_HINT },
  { name: 'effect.delay_ms', label: 'Delay (ms)', placeholder: DELAY_EXAMPLE, hint: 'In real time.' },
  { name: 'times', label: 'Times', placeholder: 'always' },
];

/** The other fields; links to the page fill some of them in. */
const buildMoreFields = (context: Context): Readonly<Record<string, readonly FieldRow[]>> => ({
  'Which requests': [
    { name: 'match.method', label: 'Method', options: offerAny(REQUEST_METHODS) },
    { name: 'match.path', label: 'Path', placeholder: '/tasks/*' },
    { name: 'match.key', label: 'Key', options: offerAny(listKeyOptions(context, MAX_FAULT_KEYS)) },
    { name: 'match.query', label: 'Query', placeholder: 'filter[status]=todo', hint: '* matches any characters.' },
    { name: 'match.body', label: 'Body holds', placeholder: '{"status":"done"}', hint: 'JSON: at least these fields.' },
    { name: 'match.header', label: 'Headers sent', lines: 1, placeholder: 'User-Agent: *Firefox*' },
  ],
  'What happens': [
    { name: 'effect.body', label: 'Body', options: [UNCHANGED, ...BODY_EFFECTS], hint: BODY_HINT },
    { name: 'effect.end', label: 'Connection', options: CONNECTION_EFFECTS },
    { name: 'effect.latency', label: 'Latency p50, p99 (ms)', placeholder: '200, 3000', hint: 'A long tail, by the seed.' },
    { name: 'effect.retry_after', label: 'Retry-After (s)', placeholder: 'as it is' },
    { name: 'effect.error.code', label: 'Error code', placeholder: 'as it is' },
    { name: 'effect.error.message', label: 'Error message', placeholder: 'as it is' },
    { name: 'effect.error.details', label: 'Error details', placeholder: DETAILS_EXAMPLE },
    { name: 'effect.raw', label: 'Whole body', lines: 1, placeholder: '<h1>502</h1>', hint: RAW_HINT },
    { name: 'effect.content_type', label: 'Content type', placeholder: 'text/html' },
    { name: 'effect.headers', label: 'Response headers', lines: 1, placeholder: 'Server: nginx' },
  ],
  'Or which events': [
    { name: 'match.event', label: 'Event', options: EVENT_OPTIONS, hint: EVENT_HINT },
    { name: 'effect.event', label: 'Delivery', options: DELIVERY_EFFECTS },
  ],
  'How often': [
    { name: 'after', label: 'After', placeholder: '0', hint: 'Requests that pass first.' },
    { name: 'probability', label: 'Share (%)', placeholder: '100', hint: "Of those that fit, by the world's seed." },
  ],
});

export const drawFaultForm = (context: Context) => {
  const form = context.form('order');
  const groups = Object.entries(buildMoreFields(context));
  const find = ({ name }: FieldRow) => form.values(name)?.[0] ?? context.query(name.replace(/^(match|effect)\./, '')) ?? '';
  const drawGroup = (fields: readonly FieldRow[]) => (
    <div class="fields">
      <FormFields form={form} fields={fields.map((field) => ({ ...field, value: find(field) }))} />
    </div>
  );
  return (
    <Card title="A fault of your own" says="What is left open fits every request." id="new">
      <PageForm context={context} label="A fault of your own">
        {drawGroup(COMMON_FIELDS)}
        <details class="fold" open={groups.some(([, fields]) => fields.some(find))}>
          <summary>More: key, body, headers, events…</summary>
          {groups.map(([title, fields]) => [<h3>{title}</h3>, drawGroup(fields)])}
        </details>
        <SubmitRow action="order" says="Add the fault" />
      </PageForm>
    </Card>
  );
};

const parseNumber = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Two numbers by their names, else one. */
const createPairParser = (pattern: RegExp, first: string, second: string) => (text: string) => {
  const both = pattern.exec(text);
  return both ? { [first]: Number(both[1]), [second]: Number(both[2]) } : parseNumber(text);
};

/** `Name: value`, a line each; a line without a colon is a name without a value. */
const parseHeaderLines = (text: string) => {
  const lines = text.split('\n').map((line) => /^([^:]*):?(.*)$/.exec(line)!);
  return Object.fromEntries(lines.map(([, name, value]) => [name!.trim(), value!.trim()]));
};

const parseJsonText = (text: string): unknown => readJson(text, text);

const parsePercent = (text: string): number | string => {
  const share = parseNumber(text);
  return typeof share === 'number' ? share / 100 : share;
};

/** How fields are read that are no text; what cannot be read so stays what was typed, for the check to name. */
const FIELD_PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  'match.query': (text) => Object.fromEntries(new URLSearchParams(text.replace(/^\?/, ''))),
  'match.body': parseJsonText,
  'match.header': parseHeaderLines,
  'effect.status': parseNumber,
  'effect.delay_ms': createPairParser(/^(\d+)\s*(?:-|–|to|…)\s*(\d+)$/, 'min', 'max'),
  'effect.latency': createPairParser(/^(\d+)\s*[,/ ]\s*(\d+)$/, 'p50_ms', 'p99_ms'),
  'effect.retry_after': parseNumber,
  'effect.headers': parseHeaderLines,
  'effect.error.details': parseJsonText,
  times: parseNumber,
  after: parseNumber,
  probability: parsePercent,
};
const FAULT_FIELD_NAME = /^(?:(?:match|effect|effect\.error)\.[a-z][a-z_]*|times|after|probability)$/;
const SWITCH_VALUES: readonly string[] = [...CONNECTION_EFFECTS, ...DELIVERY_EFFECTS].map(([value]) => value);

/** The draft of a form, unchecked: a field's name is its path, such as `effect.error.code`. */
export const parseFaultDraft = (form: URLSearchParams): Record<string, unknown> => {
  const draft: Record<string, unknown> = { match: {}, effect: {} };
  for (const [name, typed] of form) {
    const text = name === 'effect.raw' ? typed : typed.trim();
    if (text === '' || !FAULT_FIELD_NAME.test(name)) continue;
    const chosen = name === 'effect.end' || name === 'effect.event';
    if (chosen && !SWITCH_VALUES.includes(text)) continue;
    const path = (chosen ? `effect.${text}` : name).split('.');
    const last = path.pop()!;
    let place = draft;
    for (const part of path) {
      place[part] ??= {};
      place = place[part] as typeof draft;
    }
    place[last] = chosen || (FIELD_PARSERS[name]?.(text) ?? text);
  }
  return draft;
};
