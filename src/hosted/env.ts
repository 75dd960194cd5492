// How the objects of a service reach each other and its configuration.
import { Problem } from '../service/contract/errors.ts';
import { check, lineOf, type Validate } from '../service/validation/check.ts';
import { readJsonText, TEXT_FAULTS } from '../service/validation/json-text.ts';
import { pathText } from '../service/validation/show.ts';
import type { Directory, WorldOrigin, WorldUsage } from './directory.ts';
import type { Namespace } from './engine.ts';
import type { HostedOptions } from './options.ts';
import type { OriginObject } from './origin-object.ts';
import { type Derive, deriveFrom } from './tokens.ts';
import { HostedSettings as validate } from './validators.generated.ts';

interface WorldStub {
  fetch(request: Request): Promise<Response>;
  /** @returns what the world used since its last report */
  end(id: string): Promise<WorldUsage | undefined>;
}

/** The methods of an object as others call them. */
type Remote<T> = {
  readonly [M in keyof T as T[M] extends (...given: never[]) => unknown ? M : never]: T[M] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<Awaited<R>>
    : never;
};
export type DirectoryStub = Remote<Directory> & {
  close(): Promise<void>;
  retire(birth: Pick<WorldOrigin, 'id' | 'line'>, idleMs: number): Promise<number | undefined>;
};

/** Variables from the engine's configuration. */
export interface Env {
  readonly WORLDS: Namespace<WorldStub>;
  readonly ORIGINS: Namespace<Remote<OriginObject>>;
  readonly DIRECTORY: Namespace<DirectoryStub>;
  /** The secret for creating tenants. */
  readonly WM_OWNER_TOKEN?: string;
  /** `HostedOptions` as JSON. */
  readonly WM_OPTIONS?: string;
  /** Identifies this start of the engine to the program that started it. */
  readonly WM_START?: string;
}

const WEEK_MS = 7 * 86_400_000;

/** @param text JSON @throws Problem 503 naming each option that does not fit: a mistake here could delete worlds */
const optionsFrom = (text = ''): HostedOptions => {
  const { value: given, fault } = readJsonText(text || '{}');
  const lines = check(validate as unknown as Validate, given).map((finding) => lineOf(pathText(finding.path), finding));
  const why = fault ? `it ${TEXT_FAULTS[fault]}` : lines.join('; ');
  const says = `WM_OPTIONS of this service cannot be used: ${why}. docs/hosted.md of wm-mock says what it takes.`;
  if (why !== '') throw new Problem(503, 'service_unavailable', says);
  return { receivers: [], worldIdleMs: WEEK_MS, ...(given as Partial<HostedOptions>) };
};

let known: { readonly text: string | undefined; readonly options: HostedOptions } | undefined;

/** @throws Problem 503 unless they fit */
export const readHostedOptions = ({ WM_OPTIONS: text }: Env): HostedOptions => {
  if (!known || known.text !== text) known = { text, options: optionsFrom(text) };
  return known.options;
};

export const createDerive = ({ WM_OWNER_TOKEN = '' }: Env): Derive => deriveFrom(WM_OWNER_TOKEN);
