// The document as TypeScript types, as openapi-typescript writes them; `.ci/types.mjs` holds it to that.
type Node = Readonly<Record<string, unknown>>;

const TAB = '    ';
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const PLACES = ['query', 'header', 'path', 'cookie'];

const nameOf = (name: string): string => (/^(\d+|[A-Za-z_$][\w$]*)$/.test(name) ? name : JSON.stringify(name));

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value));

/** What stands above a declaration. */
const commentOf = (node: Node, indent: string): string => {
  const { title, summary, format, deprecated, description, default: preset, example } = node;
  const examples: readonly unknown[] =
    example === undefined && Array.isArray(node.examples) ? node.examples : [example].filter((one) => one !== undefined);
  const kind = node.enum && [...new Set((node.enum as unknown[]).map((value) => typeof value))].join('|');
  const parts = [
    ...[title, summary].filter((one) => one !== undefined).map(String),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(deprecated ? ['@deprecated'] : []),
    ...(description === undefined ? [] : [`@description ${description}`]),
    ...(preset === undefined ? [] : [`@default ${textOf(preset)}`]),
    ...examples.map((one) => `@example ${textOf(one)}`),
    ...('const' in node ? ['@constant'] : []),
    ...(kind ? [`@enum {${kind}}`] : []),
  ].map((part) => part.replaceAll('\n', `\n${indent} *     `).replaceAll('*/', '*\\/'));
  if (parts.length === 0) return '';
  if (parts.length === 1 && !parts[0]!.includes('\n')) return `${indent}/** ${parts[0]} */\n`;
  return `${indent}/**\n${parts.map((part) => `${indent} * ${part}\n`).join('')}${indent} */\n`;
};

const refOf = (ref: string): string =>
  ref
    .slice(2)
    .split('/')
    .map((name, i) => (i === 0 ? name : `["${name}"]`))
    .join('');

const membersOf = (node: Node, indent: string): string => {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = node as {
    properties?: Record<string, Node>;
    required?: string[];
    additionalProperties?: boolean | Node;
  };
  const inner = indent + TAB;
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${commentOf(schema, inner)}${inner}${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`,
  );
  if (typeof additionalProperties === 'object') members.push(`${inner}[key: string]: ${typeOf(additionalProperties, inner)};\n`);
  if (members.length === 0) return 'Record<string, never>';
  return `{\n${members.join('')}${indent}}`;
};

const plainType = (type: string, node: Node, indent: string): string => {
  if (type === 'integer') return 'number';
  if (type === 'array') {
    const item = node.items ? typeOf(node.items as Node, indent) : 'unknown';
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  return type === 'object' ? membersOf(node, indent) : type;
};

const typeOf = (node: Node, indent: string): string => {
  if (node.$ref) return refOf(node.$ref as string);
  if ('const' in node) return JSON.stringify(node.const);
  if (node.enum) return (node.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ');
  const union = (node.anyOf ?? node.oneOf) as readonly Node[] | undefined;
  if (union) return union.map((one) => typeOf(one, indent)).join(' | ');
  if (node.allOf) return (node.allOf as readonly Node[]).map((one) => typeOf(one, indent)).join(' & ');
  const types = ([] as string[]).concat((node.type as string | string[] | undefined) ?? (node.properties ? 'object' : []));
  return types.map((type) => plainType(type, node, indent)).join(' | ') || 'unknown';
};

const parametersOf = (all: readonly Node[], document: Node, indent: string): string => {
  const resolved = all.map((one) => ({ one, to: (one.$ref ? at(document, one.$ref as string) : one) as Node }));
  const inner = indent + TAB;
  const places = PLACES.map((place) => {
    const mine = resolved.filter(({ to }) => to.in === place);
    if (mine.length === 0) return `${inner}${place}?: never;\n`;
    const needed = mine.some(({ to }) => to.required);
    const members = mine.map(({ one, to }) => {
      const type = one.$ref ? refOf(one.$ref as string) : typeOf(to.schema as Node, inner + TAB);
      return `${commentOf(to, inner + TAB)}${inner}${TAB}${nameOf(to.name as string)}${to.required ? '' : '?'}: ${type};\n`;
    });
    return `${inner}${place}${needed ? '' : '?'}: {\n${members.join('')}${inner}};\n`;
  });
  return `${indent}parameters: {\n${places.join('')}${indent}};\n`;
};

const at = (document: Node, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node)[name], document);

const contentOf = (node: Node, indent: string): string => {
  if (!node.content) return `${indent}content?: never;\n`;
  const lines = Object.entries(node.content as Record<string, Node>).map(([type, { schema = {}, ...media }]) => {
    const examples = Object.values((media.examples as Record<string, Node>) ?? {});
    const example = media.example ?? examples[0]?.value;
    return `${commentOf(example === undefined ? {} : { example }, indent + TAB)}${indent}${TAB}"${type}": ${typeOf(schema as Node, indent + TAB)};\n`;
  });
  return `${indent}content: {\n${lines.join('')}${indent}};\n`;
};

const responseOf = (node: Node, indent: string): string => {
  const inner = indent + TAB;
  const headers = Object.entries((node.headers as Record<string, Node>) ?? {}).map(([name, header]) => {
    const optional = header.$ref || header.required ? '' : '?';
    const type = header.$ref ? refOf(header.$ref as string) : typeOf(header.schema as Node, inner + TAB);
    return `${header.$ref ? '' : commentOf(header, inner + TAB)}${inner}${TAB}${nameOf(name)}${optional}: ${type};\n`;
  });
  return `{\n${inner}headers: {\n${headers.join('')}${inner}${TAB}[name: string]: unknown;\n${inner}};\n${contentOf(node, inner)}${indent}}`;
};

const responsesOf = (all: Record<string, Node>, indent: string): string =>
  Object.entries(all)
    .map(([status, node]) => {
      const type = node.$ref ? refOf(node.$ref as string) : responseOf(node, indent);
      return `${node.$ref ? '' : commentOf(node, indent)}${indent}${nameOf(status)}: ${type};\n`;
    })
    .join('');

const operationOf = (node: Node, document: Node): string => {
  const inner = TAB + TAB;
  const body = node.requestBody as Node | undefined;
  const bodyType = body ? `{\n${contentOf(body, inner + TAB)}${inner}}` : 'never';
  const optional = body && body.required !== false ? '' : '?';
  return [
    `${TAB}${nameOf(node.operationId as string)}: {\n`,
    parametersOf((node.parameters as Node[]) ?? [], document, inner),
    `${inner}requestBody${optional}: ${bodyType};\n`,
    `${inner}responses: {\n${responsesOf(node.responses as Record<string, Node>, inner + TAB)}${inner}};\n`,
    `${TAB}};\n`,
  ].join('');
};

const pathsOf = (all: Record<string, Node>, document: Node): string =>
  Object.entries(all)
    .map(([path, item]) => {
      const methods = METHODS.map((method) => {
        const operation = item[method] as Node | undefined;
        if (!operation) return `${TAB}${TAB}${method}?: never;\n`;
        return `${commentOf(operation, TAB + TAB)}${TAB}${TAB}${method}: operations["${operation.operationId}"];\n`;
      });
      return `${TAB}"${path}": {\n${parametersOf([], document, TAB + TAB)}${methods.join('')}${TAB}};\n`;
    })
    .join('');

/** @returns the text of a declaration file. */
export const documentTypes = (document: Node): string => {
  const { paths, webhooks, components } = document as Record<string, Record<string, Node>>;
  const { schemas, responses, parameters, headers } = components as unknown as Record<string, Record<string, Node>>;
  const inner = TAB + TAB;
  const list = (all: Record<string, Node>, type: (node: Node) => string) =>
    Object.entries(all)
      .map(([name, node]) => `${commentOf(node, inner)}${inner}${nameOf(name)}: ${type(node)};\n`)
      .join('');
  const typeOfPart = (node: Node) => typeOf((node.schema ?? node) as Node, inner);
  const operations = [...Object.values(paths!), ...Object.values(webhooks!)].flatMap((item) =>
    METHODS.flatMap((method) => (item[method] ? [operationOf(item[method] as Node, document)] : [])),
  );
  return [
    '/**\n * This file was auto-generated by openapi-typescript.\n * Do not make direct changes to the file.\n */\n\n',
    `export interface paths {\n${pathsOf(paths!, document)}}\n`,
    `export interface webhooks {\n${pathsOf(webhooks!, document)}}\n`,
    `export interface components {\n${TAB}schemas: {\n${list(schemas!, typeOfPart)}${TAB}};\n`,
    `${TAB}responses: {\n${list(responses!, (node) => responseOf(node, inner))}${TAB}};\n`,
    `${TAB}parameters: {\n${list(parameters!, typeOfPart)}${TAB}};\n${TAB}requestBodies: never;\n`,
    `${TAB}headers: {\n${list(headers!, typeOfPart)}${TAB}};\n${TAB}pathItems: never;\n}\n`,
    `export type $defs = Record<string, never>;\nexport interface operations {\n${operations.join('')}}\n`,
  ].join('');
};
