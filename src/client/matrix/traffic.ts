// The traffic of a command, and what of it a flip would change: it is played again on a mock with the flip.
import { createMock } from '../../create-mock.ts';
import { toSeed } from '../../mock/api/create.ts';
import type { App, Mock } from '../../mock/api/mock.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { contractAt } from '../../service/contract/at-release.ts';
import type { Plan } from '../../service/contract/limits.ts';
import { isIn, LATEST, LIST_PARAMETERS, type Release } from '../../service/contract/releases.ts';
import { isBelow, rawPath } from '../../service/http/paths.ts';
import { parseJson } from '../../service/validation/json-text.ts';
import type { Sending } from '../../service/webhooks/sender.ts';
import { realNow } from '../../service/world/time.ts';
import { applyFlips, type Flip, listFlips, setRateWindows } from './flips.ts';
import type { FirstDifference } from './matrix-report.ts';

export interface TrafficStep {
  /** Milliseconds since the mock began. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly status: number;
}

const isService = (path: string): boolean => isBelow('/v1', path);

export interface Traffic {
  readonly options: MockOptions;
  readonly steps: readonly TrafficStep[];
  readonly operations: readonly string[];
  readonly events: boolean;
}

/** @param note gets each request, with its place in the order of arrival */
export const recordTraffic = (app: App, since: () => number, note: (step: TrafficStep, place: number) => void): App['fetch'] => {
  const began = since();
  let arrivals = 0;
  return async (request, env) => {
    const path = rawPath(request.url);
    const { method } = request;
    const reads = method === 'GET' || method === 'HEAD';
    if (!isService(path) && (reads || !isBelow('/_mock', path))) return app.fetch(request, env);
    const body = reads ? undefined : new Uint8Array(await request.clone().arrayBuffer());
    const [at, place] = [since() - began, arrivals++];
    const response = await app.fetch(request, env);
    const sent = request.url.slice(request.url.indexOf(path));
    note({ at, method, path: sent, headers: [...request.headers], body, status: response.status }, place);
    return response;
  };
};

export interface PlayedTraffic {
  readonly responses: readonly { readonly status: number; readonly text: string; readonly headers: string }[];
  readonly sent: readonly string[];
}

/** Times and quotas differ from run to run. */
const VARYING_HEADERS = new Set(['date', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-ratelimit-limit']);

/** A program made this world, as tests do. */
const forkIfMissing = (mock: Mock, id: string): void => {
  try {
    mock.fork({ id: decodeURIComponent(id), from: 'seed', mintKeys: true });
  } catch {
    // A request has made it.
  }
};

/** Nothing is sent to receivers. */
export const playTraffic = async (
  given: MockOptions,
  flips: readonly Flip[],
  steps: readonly TrafficStep[],
): Promise<PlayedTraffic> => {
  const sent: string[] = [];
  const sender = async ({ headers, body }: Sending) => {
    sent.push(JSON.stringify([Object.keys(headers).sort(), body]));
    return { kind: 'response', status: 200, took: 1 } as const;
  };
  const mock = await createMock({ ...applyFlips(given, flips), sender, deliverPublic: true });
  setRateWindows(mock.world, flips);
  const responses = [];
  const worlds = new Set<string | undefined>([undefined]);
  let now = 0;
  for (const { at, method, path, headers, body } of steps) {
    if (at > now) await mock.clock.advance(at - now);
    now = Math.max(now, at);
    const world = /^\/worlds\/([^/]+)\/v1/.exec(path)?.[1];
    if (!worlds.has(world)) forkIfMissing(mock, world!);
    worlds.add(world);
    const init = { method, headers: headers as [string, string][], ...(body?.length ? { body } : {}) };
    const response = await mock.app.fetch(new Request(`http://127.0.0.1${path}`, init));
    const kept = [...response.headers].filter(([name]) => !VARYING_HEADERS.has(name));
    responses.push({ status: response.status, text: await response.text(), headers: JSON.stringify(kept.sort()) });
  }
  await mock.webhooks.settled();
  await mock.close();
  return { responses, sent };
};

/** The request is `an event` where only events differ. */
export const findDifference = (
  steps: readonly TrafficStep[],
  before: PlayedTraffic,
  after: PlayedTraffic,
): FirstDifference | undefined => {
  const touched = steps.flatMap(({ method, path }, i): Omit<FirstDifference, 'more'>[] => {
    const [was, is] = [before.responses[i]!, after.responses[i]!];
    if (!isService(path)) return [];
    const isSame = was.status === is.status && was.text === is.text && was.headers === is.headers;
    return isSame ? [] : [{ request: `${method} ${path}`, was: was.status, is: is.status }];
  });
  if (touched[0]) return { ...touched[0], more: touched.length - 1 };
  return before.sent.join('\n') === after.sent.join('\n') ? undefined : { request: 'an event', was: 0, is: 0, more: 0 };
};

const isKnownParameter = (parameter: string, release: Release): boolean =>
  !Object.hasOwn(LIST_PARAMETERS, parameter) || isIn(LIST_PARAMETERS[parameter as keyof typeof LIST_PARAMETERS], release);

const listBodyFields = ({ body }: TrafficStep): string[] => Object.keys(Object(parseJson(new TextDecoder().decode(body))));

/** An app of another release cannot be expected to work with it. */
export const lacksRelease = (
  release: Release,
  steps: readonly TrafficStep[],
  before: PlayedTraffic,
  after: PlayedTraffic,
): boolean => {
  const { unknownFields } = contractAt(release);
  return steps.some((step, i) => {
    if (before.responses[i]!.status >= 400 || !isService(step.path)) return false;
    const parameters = [...new URL(step.path, 'http://127.0.0.1').searchParams.keys()];
    const fields = [...listBodyFields(step), ...parameters.map((name) => name.replace(/^filter\[(.*)\]$/, '$1'))];
    const knows = parameters.every((name) => isKnownParameter(name, release)) && !fields.some((name) => unknownFields.has(name));
    return after.responses[i]!.status === 404 || !knows;
  });
};

/** @returns the share of equal statuses, 0 to 1 */
export const measureFidelity = (steps: readonly TrafficStep[], { responses }: PlayedTraffic): number =>
  steps.filter(({ status }, i) => status === responses[i]!.status).length / Math.max(1, steps.length);

/** Below this share a second run proves nothing. */
const MIN_FIDELITY = 0.9;

const pruneFlips = async (flips: readonly Flip[], traffics: readonly Traffic[], now: number) => {
  const pruned = new Map<string, string>();
  const touches = new Map<string, FirstDifference>();
  const played = [];
  for (const { options, steps } of traffics) {
    const frozen = { now, ...options };
    const before = await playTraffic(frozen, [], steps);
    if (measureFidelity(steps, before) < MIN_FIDELITY) return { pruned, touches };
    played.push({ frozen, steps, before });
  }
  for (const flip of flips.filter(({ faults }) => faults.length === 0)) {
    let touch: FirstDifference | undefined;
    let isLacking = false;
    for (const { frozen, steps, before } of played) {
      const after = await playTraffic(frozen, [flip], steps);
      touch ??= findDifference(steps, before, after);
      isLacking ||= flip.kind === 'release' && lacksRelease(flip.value as Release, steps, before, after);
    }
    if (!touch) pruned.set(flip.id, 'nothing that the command asks would be answered differently');
    else if (isLacking) pruned.set(flip.id, 'this release does not know what the command asks for');
    else touches.set(flip.id, touch);
  }
  return { pruned, touches };
};

const isWanted = ({ id, kind, name }: Flip, only: readonly string[]): boolean =>
  only.length === 0 || only.some((one) => one === kind || one === name || id.startsWith(one));

const groupFlips = (flips: readonly Flip[]): readonly (readonly Flip[])[] => {
  const groups = new Map<string, Flip[]>();
  for (const flip of flips) groups.set(flip.group, [...(groups.get(flip.group) ?? []), flip]);
  return [...groups.values()];
};

/** @param options of the mock as it is @param traffic of the command on it, with the text of each seed @param only kinds, names and ids of flips; empty: all */
export const planFlips = async (options: MockOptions, traffic: readonly Traffic[], only: readonly string[]) => {
  const { choices, release = LATEST, forward = [], workspaces, now } = await toSeed(options);
  const frozen = typeof now === 'number' || traffic.some(({ options: own }) => own.now !== undefined);
  const asItIs = { choices, release, forward, plan: workspaces[0]?.plan as Plan | undefined, frozen };
  const operations = new Set(traffic.flatMap((one) => one.operations));
  const shown = { operations, events: traffic.some(({ events }) => events) };
  const flips = listFlips(asItIs, shown).filter((flip) => isWanted(flip, only));
  const { pruned, touches } = await pruneFlips(flips, traffic, now ?? realNow());
  return { flips, pruned, touches, operations, groups: groupFlips(flips.filter(({ id }) => !pruned.has(id))) };
};
