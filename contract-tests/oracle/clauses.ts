// Which requirement a judgement of the oracle speaks of: by resource and field, by operation, by list.
import type { FaultKind } from './bodies.ts';

export interface FieldClauses {
  /** A create shows the value that was sent. */
  readonly sent: string;
  /** A PATCH changes it. */
  readonly changed: string;
  /** What a create without it shows. */
  readonly fallback?: string;
  readonly missing?: string;
  readonly type?: string;
  readonly item?: string;
  readonly long?: string;
  readonly empty?: string;
  /** A value outside the enumeration, no datetime, or nobody's id. */
  readonly value?: string;
  /** The longest, the shortest and a non-ASCII value are accepted. */
  readonly longest?: string;
  readonly shortest?: string;
  readonly letters?: string;
}

/** For fields that the document has and the register does not name. */
const OTHER: FieldClauses = {
  sent: 'WM-GEN-014',
  changed: 'WM-GEN-014',
  fallback: 'WM-GEN-014',
  missing: 'WM-GEN-015',
  type: 'WM-GEN-015',
  item: 'WM-GEN-015',
  long: 'WM-GEN-015',
  empty: 'WM-GEN-015',
  value: 'WM-GEN-015',
  longest: 'WM-GEN-015',
  shortest: 'WM-GEN-015',
  letters: 'WM-GEN-015',
};

const field = (prefix: string, clauses: Readonly<Record<string, string>>): FieldClauses => ({
  ...OTHER,
  ...Object.fromEntries(
    Object.entries(clauses).map(([name, id]) => [name, id.includes('-') ? `WM-${id}` : `WM-${prefix}-${id}`]),
  ),
});

const FIELDS: Readonly<Record<string, FieldClauses>> = {
  'project.name': field('PROJ', {
    sent: '002',
    changed: 'EP-023',
    missing: '003',
    type: '019',
    long: '015',
    empty: '016',
    longest: '014',
    shortest: '013',
    letters: '030',
  }),
  'project.description': field('PROJ', {
    sent: '004',
    changed: 'EP-024',
    fallback: '005',
    type: '020',
    long: '018',
    longest: '017',
  }),
  'project.visibility': field('PROJ', { sent: '007', changed: 'STATE-004', fallback: '006', type: '021', value: '008' }),
  'task.title': field('TASK', {
    sent: '003',
    changed: 'EP-040',
    missing: '004',
    type: '027',
    long: '023',
    empty: '024',
    longest: '022',
    shortest: '021',
    letters: '040',
  }),
  'task.description': field('TASK', {
    sent: '005',
    changed: 'EP-041',
    fallback: '041',
    type: '028',
    long: '026',
    longest: '025',
  }),
  'task.assignee_id': field('TASK', { sent: '006', changed: 'EP-042', fallback: '052', type: '029', value: '014' }),
  'task.due_date': field('TASK', { sent: '007', changed: 'EP-043', fallback: '020', type: '030', value: '019' }),
  'task.priority': field('TASK', { sent: '008', changed: 'EP-044', fallback: '009', type: '031', value: '017' }),
  'task.status': field('TASK', { sent: '010', changed: 'STATE-001', fallback: '011', type: '032', value: '018' }),
  'team.name': field('TEAM', {
    sent: '002',
    missing: '003',
    type: '019',
    long: '017',
    empty: '018',
    longest: '016',
    shortest: '015',
    letters: '028',
  }),
  'team.member_ids': field('TEAM', { sent: '007', type: '020', item: '027' }),
};

export const clausesOf = (resource: string, name: string): FieldClauses => FIELDS[`${resource}.${name}`] ?? OTHER;

/** What a PATCH refuses, by field: empty, too long, a value that is none, another type. */
const UPDATES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'project.name': { empty: 77, long: 78, type: 79 },
  'project.description': { long: 80, type: 81 },
  'project.visibility': { value: 82, type: 83 },
  'task.title': { empty: 84, long: 85, type: 86 },
  'task.description': { long: 87, type: 88 },
  'task.assignee_id': { value: 89, type: 90 },
  'task.due_date': { value: 92, type: 93 },
  'task.priority': { value: 94, type: 95 },
  'task.status': { value: 96, type: 97 },
};

/** The requirement that a faulty field of a body breaks. */
export const faultClause = (resource: string, name: string, kind: FaultKind, creates: boolean): string => {
  const aspect = kind === 'date' || kind === 'reference' ? 'value' : kind;
  if (creates) return clausesOf(resource, name)[aspect] ?? 'WM-GEN-015';
  const number = UPDATES[`${resource}.${name}`]?.[aspect];
  return number === undefined ? 'WM-GEN-015' : `WM-EP-${String(number).padStart(3, '0')}`;
};

/** A header of Authorization that names no key. */
export const headerClause = (value: string): string => {
  if (/^Bearer (wmct-no|null)|^Token /.test(value)) return 'WM-AUTH-005';
  if (value.startsWith('Basic ')) return 'WM-AUTH-003';
  if (value.trim() === 'Bearer') return 'WM-AUTH-004';
  return value.startsWith('Bearer ') ? 'WM-AUTH-016' : 'WM-AUTH-002';
};

/** What is no JSON, no object, or nothing, by operation. */
export const shapeClause = (operation: string, creates: boolean, shape: 'broken' | 'other' | 'none', text: string): string => {
  if (shape === 'none') return 'WM-ERR-034';
  if (shape === 'broken') return operation === 'create_project' ? 'WM-ERR-008' : creates ? 'WM-ERR-032' : 'WM-ERR-033';
  if (!creates) return 'WM-ERR-036';
  return text.trimStart().startsWith('[') ? 'WM-ERR-027' : 'WM-ERR-035';
};

interface OperationClauses {
  /** The record was deleted. */
  readonly gone?: string;
  /** The record is another workspace's. */
  readonly foreign?: string;
  /** A read key is refused, or may retrieve. */
  readonly read?: string;
  /** The record never was. */
  readonly never?: string;
  /** The record went with its project. */
  readonly orphan?: string;
}

const operation = (gone: string, foreign: string, read: string, never = '', orphan = ''): OperationClauses =>
  Object.fromEntries(
    Object.entries({ gone, foreign, read, never, orphan }).flatMap(([name, id]) => (id ? [[name, `WM-${id}`]] : [])),
  );

const OPERATIONS: Readonly<Record<string, OperationClauses>> = {
  list_projects: operation('', '', 'SCOPE-001'),
  create_project: operation('', '', 'SCOPE-005'),
  read_project: operation('EP-029', 'ISO-001', 'SCOPE-001', 'EP-098'),
  update_project: operation('EP-061', 'ISO-002', 'SCOPE-006', 'EP-098'),
  delete_project: operation('EP-036', 'ISO-003', 'SCOPE-007', 'EP-098'),
  list_project_tasks: operation('EP-032', 'ISO-004', 'SCOPE-002', 'EP-099'),
  list_tasks: operation('', '', 'SCOPE-002'),
  create_task: operation('EP-060', 'ISO-005', 'SCOPE-008', 'EP-099'),
  read_task: operation('EP-049', 'ISO-006', 'SCOPE-002', 'EP-100', 'EP-030'),
  update_task: operation('EP-062', 'ISO-007', 'SCOPE-009', 'EP-100', 'EP-103'),
  delete_task: operation('EP-052', 'ISO-008', 'SCOPE-010', 'EP-100', 'EP-103'),
  list_comments: operation('EP-051', 'ISO-009', 'SCOPE-002', 'EP-101', 'EP-033'),
  read_profile: operation('', '', 'SCOPE-003'),
  list_members: operation('', '', 'SCOPE-003'),
  list_teams: operation('', '', 'SCOPE-004'),
  create_team: operation('', '', 'SCOPE-011'),
  read_team: operation('EP-054', 'ISO-010', 'SCOPE-004', 'EP-102'),
  delete_team: operation('EP-058', 'ISO-011', 'SCOPE-012', 'EP-102'),
  create_webhook: operation('', '', 'SCOPE-013'),
};

export const operationClauses = (id: string): OperationClauses => OPERATIONS[id] ?? {};

const FILTERS: Readonly<Record<string, string>> = {
  'list_project_tasks.status': 'WM-LIST-010',
  'list_project_tasks.assignee_id': 'WM-LIST-011',
  'list_project_tasks.priority': 'WM-LIST-012',
  'list_tasks.status': 'WM-LIST-013',
  'list_tasks.assignee_id': 'WM-LIST-014',
  'list_tasks.project_id': 'WM-LIST-015',
  'list_tasks.priority': 'WM-LIST-016',
  'list_projects.visibility': 'WM-LIST-017',
};

export const filterClause = (list: string, name: string): string => FILTERS[`${list}.${name}`] ?? 'WM-GEN-015';

const SORTS: Readonly<Record<string, string>> = {
  title: 'WM-SORT-001',
  '-title': 'WM-SORT-002',
  due_date: 'WM-SORT-003',
  '-due_date': 'WM-SORT-004',
  created_at: 'WM-SORT-005',
  '-created_at': 'WM-SORT-015',
  updated_at: 'WM-SORT-006',
  '-updated_at': 'WM-SORT-016',
};
const SORTS_OF_ALL: Readonly<Record<string, string>> = {
  title: 'WM-SORT-019',
  due_date: 'WM-SORT-020',
  created_at: 'WM-SORT-021',
  updated_at: 'WM-SORT-021',
};
const SORTS_OF_PROJECTS: Readonly<Record<string, string>> = { created_at: 'WM-SORT-013', '-created_at': 'WM-SORT-017' };

/** Lists whose row names `sort`. One sentence says that all lists take it, the rows of the others name `limit, cursor` alone: there it is open. */
export const SORTED_LISTS: ReadonlySet<string> = new Set(['list_projects', 'list_project_tasks', 'list_tasks']);

export const sortClause = (list: string, sort: string): string => {
  if (list === 'list_project_tasks') return SORTS[sort] ?? 'WM-SORT-007';
  if (list === 'list_tasks') return SORTS_OF_ALL[sort.replace('-', '')] ?? 'WM-SORT-025';
  return SORTS_OF_PROJECTS[sort] ?? 'WM-SORT-018';
};

/** A value that no record has: none come, or it is refused. */
export const unlistedClause: Readonly<Record<string, string>> = {
  status: 'WM-LIST-048',
  priority: 'WM-LIST-049',
  visibility: 'WM-LIST-050',
  project_id: 'WM-LIST-051',
};

const TOTALS: Readonly<Record<string, string>> = {
  list_projects: 'WM-META-014',
  list_tasks: 'WM-META-015',
  list_members: 'WM-META-016',
  list_teams: 'WM-META-017',
  list_comments: 'WM-META-018',
};

/** Who counts: a list that nobody else writes to has requirements of its own. */
export const totalClause = (list: string, exclusive: boolean, filtered: boolean): string => {
  if (exclusive) return filtered ? 'WM-META-012' : 'WM-META-005';
  if (filtered) return list === 'list_projects' ? 'WM-META-020' : 'WM-META-012';
  return TOTALS[list] ?? 'WM-META-005';
};

/** A record of this run is missing from a whole list. */
export const missingClause: Readonly<Record<string, string>> = {
  list_projects: 'WM-EP-022',
  list_tasks: 'WM-EP-038',
  list_project_tasks: 'WM-EP-037',
  list_teams: 'WM-EP-053',
  list_members: 'WM-USER-013',
  list_comments: 'WM-EP-070',
};

/** A deleted record is still in a list. */
export const ghostClause: Readonly<Record<string, string>> = {
  project: 'WM-EP-035',
  task: 'WM-EP-050',
  team: 'WM-EP-069',
};

/** A record of another workspace is in a list. */
export const leakClause: Readonly<Record<string, string>> = {
  list_projects: 'WM-ISO-012',
  list_tasks: 'WM-ISO-013',
  list_project_tasks: 'WM-ISO-013',
  list_teams: 'WM-ISO-014',
  list_members: 'WM-ISO-015',
  list_comments: 'WM-ISO-009',
};

/** A request that was refused with this status had an effect. */
export const effectClause = (status: number, foreign: boolean, creates: false | string): string => {
  if (foreign) return 'WM-ISO-016';
  if (status === 401) return 'WM-AUTH-008';
  if (status === 403) return 'WM-SCOPE-015';
  if (status === 429) return 'WM-RATE-021';
  if (creates === false) return 'WM-ERR-018';
  if (status === 409) return 'WM-TEAM-034';
  return creates === 'project' ? 'WM-ERR-041' : 'WM-ERR-017';
};
