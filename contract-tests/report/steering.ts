// Characters that steer the reader of a text: a class of a regular expression, for the reports and for the scripts that they come with.

/** Control characters, marks that reorder a text, and separators of lines. */
export const STEERING = String.raw`\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufffe\uffff`;
