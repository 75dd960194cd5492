// Writes HTML as an outline, one element or text a line, so that pages can be compared and a difference is a line.

const PIECE = /<!doctype[^>]*>|<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/gi;
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)")?/g;
const VOID = new Set(['input', 'link', 'meta']);

interface Open {
  readonly line: string;
  readonly inside: string[];
}

const attributesOf = (text: string): string =>
  [...text.matchAll(ATTRIBUTE)]
    .map(([, name, value]) => ` ${name}${value === undefined ? '' : `="${value}"`}`)
    .sort()
    .join('');

const closing = ({ line, inside }: Open): string[] =>
  inside.length === 1 && inside[0]!.startsWith('"') ? [`${line} ${inside[0]}`] : [line, ...inside.map((one) => ` ${one}`)];

/**
 * Attributes stand in the order of their names; texts stand as they are, quoted as JSON, that of an element with
 * nothing else in it beside it. @throws Error where elements are not closed as they were opened.
 */
export const outline = (html: string): string => {
  const whole: Open = { line: '', inside: [] };
  const open = [whole];
  const pieces = [...html.matchAll(PIECE)];
  if (pieces.map(([piece]) => piece).join('') !== html) throw new Error('outline: this is no HTML as pages have it');
  for (const [piece, slash, tag, attributes = '', closed] of pieces) {
    const { inside } = open.at(-1)!;
    if (tag === undefined) inside.push(JSON.stringify(piece));
    else if (slash) {
      const ended = open.pop()!;
      if (ended.line.split(' ')[0] !== tag) throw new Error(`outline: </${tag}> closes <${ended.line}>`);
      open.at(-1)!.inside.push(...closing(ended));
    } else {
      const line = `${tag}${attributesOf(attributes)}`;
      if (closed || VOID.has(tag)) inside.push(line);
      else open.push({ line, inside: [] });
    }
  }
  if (open.length > 1) throw new Error(`outline: <${open.at(-1)!.line}> is not closed`);
  return whole.inside.join('\n');
};

/** The main part of a page: what is its own. */
export const mainOf = (html: string): string => html.slice(html.indexOf('<main'), html.indexOf('</main>') + '</main>'.length);

/** A page without its main part. */
export const frameOf = (html: string): string => html.replace(/(<main[^>]*>)[\s\S]*(<\/main>)/, '$1$2');

const depthOf = (line: string): number => line.length - line.trimStart().length;

/** Each element of an outline whose line fits, with what is in it. */
export const partsOf = (outlined: string, pattern: RegExp): string[] => {
  const lines = outlined.split('\n');
  return lines.flatMap((line, at) => {
    if (!pattern.test(line)) return [];
    const depth = depthOf(line);
    const end = lines.findIndex((one, i) => i > at && depthOf(one) <= depth);
    return [
      lines
        .slice(at, end < 0 ? undefined : end)
        .map((one) => one.slice(depth))
        .join('\n'),
    ];
  });
};
