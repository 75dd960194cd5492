// What there is to warn a client of.

export const WARNING_CODES = [
  'removed-parameter',
  'deprecated-parameter',
  'later-operation',
  'later-field',
  'echoed-field',
  'echoed-value',
  'later-endpoint',
  'repeated-after-unknown',
  'unknown-parameter',
  'unknown-field',
  'foreign-cursor',
  'early-retry',
  'tight-loop',
  'secret-in-url',
] as const;

export interface Warning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly says: string;
}
