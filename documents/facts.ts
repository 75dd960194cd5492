// An OpenAPI document as a flat list of facts: what two releases are compared by.
import { isObject } from '../src/service/contract/schema.ts';
import type { Json } from '../src/service/openapi/schemas.ts';

export type FactKind =
  | 'endpoint'
  | 'parameter'
  | 'request field'
  | 'response field'
  | 'header'
  | 'event'
  | 'event field'
  | 'event header'
  | 'security';

export interface Fact {
  readonly kind: FactKind;
  /** The endpoint or event that it belongs to, such as `GET /tasks`. */
  readonly of: string;
  /** Its place there: `filter[status]`, `200 items[].title`. */
  readonly at: string;
  /** The component and field that it comes from, such as `Task.priority`; its place where there is none. */
  readonly name: string;
  /** JSON types and format. */
  readonly types: readonly string[];
  readonly format: string | undefined;
  /** The values of a closed list. */
  readonly values: readonly string[] | undefined;
  /** The values of a list that may grow. */
  readonly known: readonly string[] | undefined;
  /** Least and greatest: length, value, items. */
  readonly bounds: Readonly<Record<string, number>>;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Of an endpoint: the least scope of its key, and what authenticates. */
  readonly scope: string | undefined;
  readonly security: string | undefined;
}

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const NOTHING = {
  types: [],
  format: undefined,
  values: undefined,
  known: undefined,
  bounds: {},
  required: false,
  deprecated: false,
  scope: undefined,
  security: undefined,
};

class Reading {
  readonly facts: Fact[] = [];
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  /** The object that a reference names, with the component's name. */
  #found(node: unknown): { readonly node: Json; readonly name: string | undefined } {
    if (!isObject(node) || typeof node.$ref !== 'string') return { node: isObject(node) ? node : {}, name: undefined };
    const path = node.$ref.slice(2).split('/');
    const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), this.#document);
    return { node: isObject(found) ? found : {}, name: path.at(-1) };
  }

  whole(): void {
    const { security, components } = this.#document;
    const schemes = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
    for (const [name, scheme] of Object.entries(schemes)) {
      const { type, scheme: how, in: where } = scheme as Json;
      this.#add('security', 'security', name, { types: [type, how, where].filter((one) => one !== undefined).map(String) });
    }
    for (const [path, item] of Object.entries((this.#document.paths ?? {}) as Json)) {
      for (const method of METHODS) {
        const call = (item as Json)[method];
        if (isObject(call)) this.#endpoint(`${method.toUpperCase()} ${path}`, call, security);
      }
    }
    for (const [name, item] of Object.entries((this.#document.webhooks ?? {}) as Json)) this.#event(name, (item as Json).post);
  }

  #add(kind: FactKind, of: string, at: string, more: Partial<Fact> = {}): void {
    this.facts.push({ ...NOTHING, kind, of, at, name: at, ...more });
  }

  #endpoint(of: string, call: Json, security: unknown): void {
    const scope = typeof call['x-scope'] === 'string' ? call['x-scope'] : undefined;
    const needed = JSON.stringify(call.security ?? security ?? []);
    this.#add('endpoint', of, '', { name: of, scope, security: needed, deprecated: call.deprecated === true });
    for (const one of (call.parameters ?? []) as unknown[]) this.#parameter(of, this.#found(one).node);
    this.#body('request field', of, '', call.requestBody);
    for (const [status, answer] of Object.entries((call.responses ?? {}) as Json)) {
      const { node } = this.#found(answer);
      for (const [name, header] of Object.entries((node.headers ?? {}) as Json))
        this.#add('header', of, `${status} ${name}`, { name, required: this.#found(header).node.required === true });
      this.#body('response field', of, `${status} `, node);
    }
  }

  #event(of: string, call: unknown): void {
    if (!isObject(call)) return;
    this.#add('event', of, '', { name: of });
    for (const one of (call.parameters ?? []) as Json[])
      this.#add('event header', of, String(one.name), { required: one.required === true });
    this.#body('event field', of, '', call.requestBody);
  }

  #parameter(of: string, parameter: Json): void {
    const { name, required, deprecated, schema } = parameter;
    if (parameter.in === 'path') return;
    const { node } = this.#found(schema);
    const flags = { required: required === true, deprecated: deprecated === true };
    this.#add('parameter', of, String(name), { ...assertionsOf(node), ...flags });
  }

  #body(kind: FactKind, of: string, at: string, body: unknown): void {
    const { node } = this.#found(body);
    const content = (node.content as Json | undefined)?.['application/json'];
    if (isObject(content)) this.#schema(kind, of, at, content.schema, '', []);
  }

  #schema(kind: FactKind, of: string, at: string, schema: unknown, owner: string, above: readonly unknown[]): void {
    const { node, name = owner } = this.#found(schema);
    if (above.includes(node)) return;
    const inside = [...above, node];
    const required = (node.required ?? []) as readonly string[];
    for (const [field, of_] of Object.entries((node.properties ?? {}) as Json)) {
      const place = `${at}${at === '' || at.endsWith(' ') ? '' : '.'}${field}`;
      const { node: found } = this.#found(of_);
      this.#add(kind, of, place, {
        ...assertionsOf(found),
        name: name ? `${name}.${field}` : place,
        required: required.includes(field),
      });
      this.#schema(kind, of, place, of_, name ? `${name}.${field}` : '', inside);
    }
    if (node.items === undefined) return;
    const { node: item } = this.#found(node.items);
    if (!isObject(item.properties)) this.#add(kind, of, `${at}[]`, { ...assertionsOf(item), name: `${owner || at}[]` });
    this.#schema(kind, of, `${at}[]`, node.items, owner, inside);
  }
}

const texts = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

const assertionsOf = (schema: Json): Partial<Fact> => ({
  types: [schema.type ?? []].flat().map(String).sort(),
  format: typeof schema.format === 'string' ? schema.format : undefined,
  values: texts(schema.enum),
  known: texts(schema['x-extensible-enum']),
  bounds: Object.fromEntries(BOUNDS.flatMap((bound) => (typeof schema[bound] === 'number' ? [[bound, schema[bound]]] : []))),
});

/** Everything that a document promises, in its order. */
export const factsOf = (document: Json): readonly Fact[] => {
  const reading = new Reading(document);
  reading.whole();
  return reading.facts;
};
