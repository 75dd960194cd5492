// The parts of pages about traffic: methods, statuses, headers, bodies, and texts that may be very long.
import type { Child, PropsWithChildren } from 'hono/jsx';
import { clipText } from '../mock/control/fault-words.ts';
import { readJson } from '../service/validation/json-text.ts';
import { Chip, CodeBlock, countWords, Facts, type Tone } from './parts.tsx';

export const MethodName = ({ method }: { method: string }) => (
  <span class={`method ${/^(GET|POST|PATCH|DELETE)$/.test(method) ? method.toLowerCase() : ''}`}>{clipText(method, 12)}</span>
);

const findStatusTone = (status: number): Tone =>
  status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'refused' : status < 300 ? 'good' : 'plain';

/** @param status 0 when the connection was closed instead of a response */
export const StatusChip = ({ status }: { status: number }) => (
  <Chip tone={findStatusTone(status)}>{status === 0 ? 'closed' : String(status)}</Chip>
);

export const prettyPrintBody = (body: unknown): string => {
  if (typeof body !== 'string') return JSON.stringify(body, null, 2);
  const json = readJson(body);
  return json === undefined ? body : JSON.stringify(json, null, 2);
};

export const BodyCode = ({ body, label, most }: { body: unknown; label: string; most: number }) => {
  if (body === null || body === undefined || body === '') return <p class="muted">No body.</p>;
  return <CodeBlock text={clipText(prettyPrintBody(body), most)} label={label} />;
};

const MAX_HEADERS_SHOWN = 40;

export const HeaderList = ({ headers }: { headers: Readonly<Record<string, string>> }) => {
  const pairs = Object.entries(headers).slice(0, MAX_HEADERS_SHOWN);
  if (pairs.length === 0) return null;
  return (
    <details class="fold">
      <summary>{countWords(Object.keys(headers).length, 'header')}</summary>
      <Facts kind="headers" of={pairs.map(([name, value]) => [clipText(name, 60), clipText(value, 400)])} />
    </details>
  );
};

interface StepProps {
  readonly kind: string;
  readonly name: Child;
  readonly part?: Child;
  readonly look?: 'row' | 'muted';
  readonly id?: string;
}

export const CheckStep = ({ kind, name, part, look, id, children }: PropsWithChildren<StepProps>) => (
  <li class={kind} id={id}>
    <span class="check-name">{name}</span>
    <span class={look ? `check-found ${look}` : 'check-found'}>{children}</span>
    {part ? <span class="check-part">{part}</span> : null}
  </li>
);

/** Shows parts in backticks as code. */
export const InlineCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
);
