// Bodies that clients send, and the rules of their fields.
import {
  type Call,
  EVENT_NAMES,
  type Fields,
  type Issue,
  PRIORITIES,
  Problem,
  type Resource,
  STATUSES,
  VISIBILITIES,
} from '../model.ts';
import { Access } from './access.ts';

export interface Rule {
  readonly name: string;
  readonly kind: 'text' | 'choice' | 'moment' | 'member' | 'members' | 'url' | 'events';
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly clearable?: boolean;
}
export type Act = 'create' | 'change';

const named = (name: string, max: number): Rule => ({ name, kind: 'text', required: true, min: 1, max });
const RULES: Readonly<Record<Resource, readonly Rule[]>> = {
  project: [
    named('name', 150),
    { name: 'description', kind: 'text', max: 1000, clearable: true },
    { name: 'visibility', kind: 'choice', values: VISIBILITIES },
  ],
  task: [
    named('title', 255),
    { name: 'description', kind: 'text', max: 10_000, clearable: true },
    { name: 'assignee_id', kind: 'member', clearable: true },
    { name: 'due_date', kind: 'moment', clearable: true },
    { name: 'priority', kind: 'choice', values: PRIORITIES },
    { name: 'status', kind: 'choice', values: STATUSES },
  ],
  team: [named('name', 100), { name: 'member_ids', kind: 'members' }],
  webhook: [
    { name: 'url', kind: 'url', required: true },
    { name: 'events', kind: 'events' },
  ],
};

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');

export class Input extends Access {
  rulesFor = (resource: Resource, _act: Act): readonly Rule[] => RULES[resource];

  acceptsType = (type: string, _call: Call): boolean =>
    this.style.contentType === 'any' || /^application\/json\s*(;|$)/i.test(type);

  parse = (text: string, call: Call): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      throw this.malformed(call, 'The body is not JSON.');
    }
  };

  /** The members of the request's JSON object. */
  readBody = (call: Call): Fields => {
    if (!this.acceptsType(call.headers.get('content-type') ?? '', call)) {
      const [status, code] = this.style.contentType === 415 ? [415, 'unsupported_media_type'] : [400, 'validation_error'];
      throw new Problem(Number(status), String(code), 'The body must be application/json.');
    }
    const body = this.parse(call.text, call);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (!isObject) throw this.malformed(call, 'The body must be a JSON object.');
    return body as Fields;
  };

  /** The accepted values of a body by field name; null clears. @throws Problem that names the failing fields. */
  readFields = (call: Call, resource: Resource, act: Act): Fields => {
    const body = this.readBody(call);
    const rules = this.rulesFor(resource, act);
    const accepted: Fields = {};
    const issues: Issue[] = [];
    for (const field of Object.keys(body))
      if (this.style.unknownMembers === 'refused' && !rules.some(({ name }) => name === field))
        issues.push({ field, issue: 'is not known', kind: 'structure' });
    for (const rule of rules) {
      const value = Object.hasOwn(body, rule.name) ? body[rule.name] : undefined;
      const issue = value === undefined ? this.checkAbsent(rule, act) : this.checkValue(rule, value, call, act);
      if (issue) issues.push(issue);
      else if (value !== undefined) accepted[rule.name] = value === null ? null : this.take(rule, value, call, act);
    }
    if (issues.length > 0) throw this.refuse(issues, call, resource, act);
    return accepted;
  };

  checkAbsent = (rule: Rule, act: Act): Issue | undefined => {
    const needed = rule.required === true || (rule.kind === 'events' && this.style.noEvents === 'refused');
    return needed && act === 'create' ? { field: rule.name, issue: 'is required', kind: 'structure' } : undefined;
  };

  checkValue = (rule: Rule, value: unknown, call: Call, act: Act): Issue | undefined => {
    const { name: field, kind, max = Number.POSITIVE_INFINITY, min = 0 } = rule;
    if (value === null && rule.clearable && this.style.nulls === 'clear') return undefined;
    if (!this.hasType(rule, value, act)) return { field, issue: 'has the wrong type', kind: 'structure' };
    if (kind === 'members') return this.checkMembers(rule, value as string[], call);
    if (kind === 'events') return this.checkEvents(rule, value as string[]);
    const text = value as string;
    if (kind === 'text' && this.length(text) > max) return { field, issue: `has more than ${max} characters`, kind: 'length' };
    if (kind === 'text' && this.length(text) < min) return { field, issue: 'must not be empty', kind: 'value' };
    if (kind === 'choice' && !this.isChoice(rule, text, act))
      return { field, issue: `must be one of ${rule.values?.join(', ')}`, kind: 'value' };
    if (kind === 'moment' && this.moment(text, act) === undefined)
      return { field, issue: 'must be an ISO 8601 datetime', kind: 'value' };
    if (kind === 'member' && !this.isAssignable(text, call, act))
      return { field, issue: 'must be a member of the workspace', kind: 'reference' };
    if (kind === 'url' && !this.isReachable(text)) return { field, issue: 'must be a public https URL', kind: 'value' };
    return undefined;
  };

  hasType = (rule: Rule, value: unknown, _act: Act): boolean =>
    rule.kind === 'members' || rule.kind === 'events' ? isTextList(value) : typeof value === 'string';
  length = (text: string): number => [...text].length;
  isChoice = (rule: Rule, value: string, _act: Act): boolean => rule.values?.includes(value) === true;

  /** Milliseconds since 1970 of an ISO 8601 datetime with an offset. */
  moment = (text: string, _act: Act): number | undefined => {
    const [, year, month, day, hour] = MOMENT.exec(text) ?? [];
    if (year === undefined || (hour === undefined && this.style.bareDates === 'refused')) return undefined;
    const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    const at = Date.parse(text);
    return Number(day) <= lastDay && !Number.isNaN(at) ? at : undefined;
  };

  isMember = (id: string, workspace: string | undefined): boolean =>
    this.db.memberships.some((each) => each.user === id && each.workspace === workspace);
  isAssignable = (id: string, call: Call, _act: Act): boolean => this.isMember(id, call.workspace?.id);

  isReachable = (text: string): boolean => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    return url.protocol === 'https:' && url.hostname.includes('.');
  };

  checkMembers = (rule: Rule, ids: readonly string[], call: Call): Issue | undefined => {
    const known = ids.filter((id) => this.isMember(id, call.workspace?.id));
    if (known.length === ids.length || this.style.unknownMember === 'dropped') return undefined;
    return { field: rule.name, issue: 'must be members of the workspace', kind: 'reference' };
  };

  checkEvents = (rule: Rule, names: readonly string[]): Issue | undefined => {
    const known = names.length > 0 && names.every((name) => EVENT_NAMES.includes(name));
    return known ? undefined : { field: rule.name, issue: 'must be known event names', kind: 'value' };
  };

  /** The value as it is stored. */
  take = (rule: Rule, value: unknown, call: Call, act: Act): unknown => {
    if (rule.kind === 'moment') return this.moment(value as string, act);
    if (rule.kind === 'members') return [...new Set(value as string[])].filter((id) => this.isMember(id, call.workspace?.id));
    if (rule.kind === 'events') return [...new Set(value as string[])];
    return this.takeText(rule, value as string, call, act);
  };

  takeText = (_rule: Rule, value: string, _call: Call, _act: Act): string => value;

  statusOf = (issue: Issue): number =>
    ({ structure: 400, length: 422, value: this.style.valueStatus, reference: this.style.referenceStatus })[issue.kind];

  refuse = (issues: readonly Issue[], call: Call, _resource: Resource, _act: Act): Problem => {
    const structural = issues.filter(({ kind }) => kind === 'structure');
    const mixed = structural.length > 0 && structural.length < issues.length;
    if (mixed) return this.invalid(this.style.mixedStatus, this.style.mixedLists === 'all' ? issues : structural, call);
    return this.invalid(Math.max(...issues.map((issue) => this.statusOf(issue))), issues, call);
  };
}
