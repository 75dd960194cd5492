// The form of what the mock makes up: ids with their prefixes, values of keys, secrets of webhooks.
import { Random } from './random.ts';

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

const SECRETS = { 'key-value': 'wm', secret: 'whsec' } as const;

const drawSecret = (random: Random, stream: keyof typeof SECRETS): string => `${SECRETS[stream]}_${random.letters(stream, 32)}`;

export const newKeyValue = (random: Random): string => drawSecret(random, 'key-value');

export const newSecret = (random: Random): string => drawSecret(random, 'secret');

/** All key values and secrets that were drawn so far. */
export const secretsDrawn = ({ seed, drawn }: Random): string[] =>
  (['key-value', 'secret'] as const).flatMap((stream) => {
    const [again, all] = [new Random(seed), [] as string[]];
    while ((again.drawn.get(stream) ?? 0) < (drawn.get(stream) ?? 0)) all.push(drawSecret(again, stream));
    return all;
  });
