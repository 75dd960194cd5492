// The form of what the mock makes up: ids with their prefixes, values of keys, secrets of webhooks.
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

export const newId = (random: Random, kind: Kind, style: 'prefixed' | 'opaque' = 'prefixed'): string => {
  const letters = random.letters(`id:${kind}`, 16);
  return style === 'prefixed' ? `${PREFIXES[kind]}_${letters}` : letters;
};

export const newKeyValue = (random: Random): string => `wm_${random.letters('key-value', 32)}`;

export const newSecret = (random: Random): string => `whsec_${random.letters('secret', 32)}`;
