// The offers of a page, a line for each of its parts: headings, links with targets, buttons, fields with options, columns, the first row.
import { entityOf } from './reading.ts';

/** A select with more options is cut. */
const MAX_OPTIONS = 18;

type Attributes = Readonly<Record<string, string | undefined>>;
const live = (of: Attributes) => ('data-live' in of ? ` ~${of.id}` : '');
const labelled = (of: Attributes) => (of['aria-label'] ? ` "${of['aria-label']}"` : '');

/** Text of each element, besides its words. */
const ELEMENT_TEXTS: Readonly<Record<string, (of: Attributes) => string>> = {
  a: (of) =>
    `${of['data-key'] ? `g ${of['data-key']} ` : ''}${of['aria-current'] ? '*' : ''}${of.class ? `.${of.class} ` : ''}(${of.href})`,
  input: (of) =>
    `${of.role ? `${of.role}${labelled(of)} ` : ''}${of.name}${of.type === 'hidden' ? '' : `:${of.type}`}=${of.value}${of.placeholder ? ` "${of.placeholder}"` : ''}${'data-search' in of ? ' /' : ''}${'autofocus' in of ? ' focus' : ''}`,
  textarea: (of) => `${of.name}:${of.rows} lines "${of.placeholder ?? ''}"`,
  select: (of) => `${of.name ?? of.class}:${'data-submit' in of ? '!' : ''}${'multiple' in of ? of.size : ''}`,
  option: (of) => `${'selected' in of ? '*' : ''}${of.value}=`,
  button: (of) =>
    of.class === 'copy'
      ? `[${of['aria-label']}]`
      : `{${of.name ? `${of.name}=${of.value}` : ''}${labelled(of)}${of['aria-pressed'] === 'true' ? ' *' : ''}${'disabled' in of ? ' off' : ''}}`,
  form: (of) =>
    `${of.method} ${(of.action ?? '').replace(/\?.*/, '')}${'data-quick' in of ? ' at once' : ''}${labelled(of)}${live(of)}:`,
  nav: (of) => `${labelled(of)}:`,
  section: (of) => `${labelled(of)}${live(of)}:`,
  th: (of) => `|${of.class ? ` .${of.class}` : ''}`,
  td: (of) => `|${of.class ? ` .${of.class}` : ''}`,
  span: (of) => (/^chip (?!plain)/.test(of.class ?? '') ? `[${of.class!.slice(5)}]` : live(of)),
  div: (of) => (of.class?.startsWith('field ') ? `.${of.class.slice(6)}` : live(of)),
  p: (of) => (of['data-live'] === '' ? live(of) : ''),
};

const attributesOf = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name!, value ?? '']));

const textOf = (html: string): string =>
  html
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<(\w+)((?:\s[\w-]+(?:="[^"]*")?)*)\s*\/?>/g, (_, tag: string, rest: string) =>
      tag in ELEMENT_TEXTS ? ` ${ELEMENT_TEXTS[tag]!(attributesOf(rest))} ` : ' ',
    )
    .replace(/<[^>]*>/g, ' ')
    .replace(/&\w+;|&#39;/g, entityOf)
    .replace(/\s+/g, ' ')
    .replace(/ (\*?)(\S+)= \2(?= )/g, ' $1$2')
    .trim();

const shortened = (html: string): string =>
  html
    .replace(/(<tbody>)(<tr[\s\S]*?<\/tr>)([\s\S]*?)(?=<\/tbody>)/g, (_, start: string, first: string, rest: string) => {
      const more = rest.match(/<tr /g)?.length ?? 0;
      const open = /<tr data-row="[^"]* open"[\s\S]*?<\/tr>/.exec(rest)?.[0] ?? '';
      return `${start}${first}${open}${more > 0 ? `<p>+${more} rows</p>` : ''}`;
    })
    .replace(/(<\/section>)(?:<section class="choice"[\s\S]*?<\/section>)+/g, '$1')
    .replace(/(<select[^>]*>)([\s\S]*?)(?=<\/select>)/g, (_, start: string, all: string) => {
      const options = all.match(/<option[\s\S]*?<\/option>/g) ?? [];
      const shown = options.length > MAX_OPTIONS ? [...options.slice(0, 2), `… ${options.length}`] : options;
      return start + shown.join('');
    });

/** The lines of a page, or of a part of it. */
export const offersOf = (html: string): string[] =>
  shortened(html)
    .split(/(?=<section class="card\b)/)
    .map(textOf)
    .filter((line) => line !== '');
