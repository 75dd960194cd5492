// Identifiers and secrets: one random stream per kind.
import type { Random } from './random.ts';

export const PREFIXES = {
  projects: 'proj',
  tasks: 'task',
  users: 'user',
  teams: 'team',
  comments: 'cmt',
  webhooks: 'wh',
  keys: 'key',
  events: 'evt',
  deliveries: 'dlv',
  workspaces: 'ws',
} as const;
export type Kind = keyof typeof PREFIXES;

const STREAMS = Object.fromEntries(Object.keys(PREFIXES).map((kind) => [kind, `id:${kind}`])) as Readonly<Record<Kind, string>>;

/** A new identifier of a kind; without its prefix if ids are opaque. */
export const newId = (random: Random, kind: Kind, style: 'prefixed' | 'opaque' = 'prefixed'): string => {
  const letters = random.letters(STREAMS[kind], 16);
  return style === 'prefixed' ? `${PREFIXES[kind]}_${letters}` : letters;
};

export const newKeyValue = (random: Random): string => `wm_${random.letters('key-value', 32)}`;

export const newSecret = (random: Random): string => `whsec_${random.letters('secret', 32)}`;
