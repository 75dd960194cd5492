// What the panel shows of a world, part by part: what it lists, how a row looks, which buttons change it.
import type { RemoteMock } from '../../connect/index.ts';
import { effectSays, matchSays, oftenSays, PRESETS } from '../../mock/control/fault-words.ts';
import type { FeedKind } from '../../mock/control/feed.ts';
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import { realNow } from '../../service/world/time.ts';
import { h } from './dom.ts';

type Do = (mock: RemoteMock) => Promise<unknown>;
/** Makes a button that does something to the world. */
export type Button = (says: string, run: Do, label?: string) => HTMLElement;

export interface Part {
  readonly title: string;
  /** The events that change it. */
  readonly hears: readonly FeedKind[];
  /** What stands where nothing is listed. */
  readonly empty: string;
  readonly buttons: Readonly<Record<string, Do>>;
  rows(mock: RemoteMock, button: Button): Promise<readonly HTMLElement[]>;
}

const MOST_REQUESTS = 20;

const row = (key: string, ...inside: readonly (Node | string | false)[]) => h('li', { 'data-key': key }, ...inside);
const toneOf = (status: number): string => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good');

const DASHBOARD = { target: '_blank', rel: 'noopener noreferrer', title: 'On the dashboard, in a new tab' };

const requests: Part = {
  title: 'Requests',
  hears: ['request', 'state'],
  empty: 'None yet in this world. Each request to /v1 comes here as it is made.',
  buttons: {},
  rows: async ({ control, controlUrl }) => {
    const { items } = await control('GET /requests', { limit: MOST_REQUESTS });
    return items.toReversed().map(({ id, at, method, path, status, operation, fault, warnings }) => {
      const href = controlUrl.replace(/_mock$/, `dashboard/requests${id === 'pending' ? '' : `/${id}`}`);
      const says = [operation ?? 'no operation', fault, at.slice(11, 19)].filter(Boolean).join(' · ');
      return row(
        id,
        h('a', { href, ...DASHBOARD }, h('b', {}, method), ' ', path.replace(/^\/v1/, '')),
        h('span', { class: `chip ${toneOf(status)}` }, id === 'pending' ? 'held' : status === 0 ? 'closed' : String(status)),
        h('small', {}, says),
        ...warnings.map((warning) => h('small', { class: 'warning' }, `Warning: ${warning.says}`)),
      );
    });
  },
};

const timeline: Part = {
  title: 'Timeline',
  hears: ['request', 'delivery', 'clock', 'state'],
  empty: 'Nothing has happened yet.',
  buttons: {},
  rows: async ({ control, controlUrl }) => {
    const { items } = await control('GET /timeline', { limit: 10 });
    return items.toReversed().map(({ n, kind, title, at }) => {
      const href = controlUrl.replace(/_mock$/, `dashboard/timeline?from=${n}`);
      return row(String(n), h('a', { href, ...DASHBOARD }, title), h('small', {}, `${kind} · ${at.slice(11, 19)}`));
    });
  },
};

const order =
  (draft: FaultDraft): Do =>
  ({ faults }) =>
    faults.add(draft);

const faults: Part = {
  title: 'Faults',
  hears: ['request', 'state'],
  empty: 'None: every request is answered as it should be.',
  buttons: {
    'Next: 500': order({ effect: { status: 500 }, times: 1 }),
    'Next: 429': order({ effect: { status: 429, retry_after: 5 }, times: 1 }),
    [PRESETS.slow!.label]: order(PRESETS.slow!.draft),
    [PRESETS.offline!.label]: order(PRESETS.offline!.draft),
  },
  rows: async ({ faults }, button) =>
    (await faults.list())
      .filter(({ times, hits }) => times === undefined || hits < times)
      .map((fault) =>
        row(
          fault.id,
          h('span', {}, `${effectSays(fault.effect)}, ${oftenSays(fault)}`),
          button('Turn off', ({ faults }) => faults.remove(fault.id), `Turn off ${fault.id}`),
          h('small', {}, `${fault.id}: ${matchSays(fault.match, (id) => id)} · struck ${fault.hits} of ${fault.seen}`),
        ),
      ),
};

/** A time of the world, to the second. @param ahead of the real time, milliseconds */
export const timeText = (ahead: number): string => new Date(realNow() + ahead).toISOString().replace('T', ' ').slice(0, 19);

const clock: Part = {
  title: 'Clock',
  hears: ['clock', 'state'],
  empty: '',
  buttons: {
    '+1 min': ({ clock }) => clock.advance('1m'),
    '+1 h': ({ clock }) => clock.advance('1h'),
    '+1 d': ({ clock }) => clock.advance('1d'),
  },
  rows: async ({ control }, button) => {
    const { now, mode } = await control('GET /clock');
    const ahead = Date.parse(now) - realNow();
    const frozen = mode === 'frozen';
    return [
      row(
        'clock',
        h('time', frozen ? {} : { 'data-ahead': String(ahead) }, timeText(ahead)),
        frozen ? button('Let it run', ({ clock }) => clock.run()) : button('Freeze', ({ clock }) => clock.freeze()),
        h('small', {}, `UTC, ${mode}`),
      ),
    ];
  },
};

const choices: Part = {
  title: 'Choices',
  hears: ['state'],
  empty: 'Every open point is answered as by default.',
  buttons: {},
  rows: async ({ control }, button) => {
    const { items } = await control('GET /choices');
    return items
      .filter(({ answer, ours }) => answer !== ours)
      .map(({ name, answer, ours, question }) =>
        row(
          name,
          h('span', {}, `${name}: ${answer}`),
          button('Reset', (mock) => mock.choose({ [name]: ours }), `Reset ${name} to ${ours}`),
          h('small', {}, `${question} By default ${ours}.`),
        ),
      );
  },
};

export const PARTS: readonly Part[] = [requests, faults, clock, choices, timeline];
