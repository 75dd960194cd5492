// Texts as each reader may see them: a terminal, a CI service, XML, HTML, Markdown, a comment. What a target says steers none of them.
import { STEERING } from './steering.ts';

const STEERS = new RegExp(`[${STEERING}]`, 'gu');

const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One line, in which whatever would steer its reader can be seen. For terminals, logs and comments. */
export const forTerminal = (text: string): string => text.replace(STEERS, code);

/** This with its lines and tabs. */
const lines = (text: string): string => text.replace(STEERS, (one) => (one === '\n' || one === '\t' ? one : code(one)));

/** The text of a workflow command of GitHub. */
export const forAnnotation = (text: string): string => lines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

/** A property of a workflow command. */
export const forProperty = (text: string): string => forAnnotation(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** HTML, and XML 1.0, which forbids what is made visible here even as an entity. */
export const forMarkup = (text: unknown): string =>
  lines(String(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** A text that is neither Markdown nor HTML, on one line. */
export const forMarkdown = (text: string): string =>
  forTerminal(text.replace(/\s+/g, ' '))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+!|~@$]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** One line for a comment of a shell or of YAML. */
export const forComment = (text: string): string => forTerminal(text.replace(/\s+/g, ' ')).trim();
