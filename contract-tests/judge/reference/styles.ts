// Three conforming mixtures of answers to what the specification leaves open.

export const STYLE_NAMES = ['a', 'b', 'c'] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

export interface Style {
  readonly name: StyleName;
  /** Requests a minute of the first workspace and of the second. */
  readonly plans: readonly [number, number];
  readonly window: 'sliding' | 'fixed';
  readonly errorsCount: boolean;
  readonly absent: 'null' | 'left out';
  readonly notFoundCode: string;
  readonly conflictCode: string;
  readonly sortCode: string;
  readonly errorStatus: boolean;
  readonly emptyDetails: boolean;
  readonly patchStatus: number;
  /** Status of an undocumented method or path. */
  readonly undocumentedStatus: number;
  readonly first: 'scope' | 'existence';
  readonly bigLimit: 400 | 422 | 'clamp';
  readonly smallLimit: 400 | 422 | 'clamp';
  readonly order: 'oldest' | 'newest' | 'id';
  /** Where records without a value stand. */
  readonly missing: 'last' | 'lowest' | 'highest';
  readonly collate: 'units' | 'locale' | 'folded';
  readonly cursor: 'base64' | 'token' | 'hex';
  readonly brokenCursor: 400 | 422 | 'first page';
  /** What happens when a query contradicts the cursor it comes with. */
  readonly contradiction: 'refused' | 'cursor wins';
  readonly cursorKeepsLimit: boolean;
  readonly unknownFilter: 'refused' | 'ignored';
  readonly unknownFilterValue: 'refused' | 'empty';
  readonly projectFilterInProject: 'refused' | 'ignored' | 'combined';
  readonly pageParameter: 'refused' | 'ignored';
  readonly sortable: { readonly [resource: string]: readonly string[] };
  readonly unknownMembers: 'refused' | 'ignored';
  readonly nulls: 'clear' | 'refused';
  readonly valueStatus: 400 | 422;
  readonly referenceStatus: 400 | 422;
  readonly mixedStatus: 400 | 422;
  readonly mixedLists: 'all' | 'structure';
  readonly contentType: 'required' | 415 | 'any';
  readonly bareDates: 'refused' | 'midnight';
  readonly unknownMember: 'refused' | 'dropped';
  readonly creatorJoins: boolean;
  readonly emptyPatch: 'nothing' | 'touches';
  readonly teamScope: 'write' | 'admin';
  readonly webhookScope: 'write' | 'admin';
  readonly webhookStatus: number;
  readonly webhookBody: 'data' | 'top level';
  readonly noEvents: 'all' | 'refused';
  readonly snapshots: 'full' | 'minimal';
  readonly cascadeEvents: boolean;
  readonly stamp: 'milliseconds' | 'offset' | 'microseconds';
  /** One user belongs to both workspaces. */
  readonly sharedUser: boolean;
}

const TASK_SORTS = ['due_date', 'created_at', 'updated_at', 'title'];

const a: Style = {
  name: 'a',
  plans: [300, 1000],
  window: 'sliding',
  errorsCount: true,
  absent: 'null',
  notFoundCode: 'not_found',
  conflictCode: 'conflict',
  sortCode: 'validation_error',
  errorStatus: false,
  emptyDetails: true,
  patchStatus: 200,
  undocumentedStatus: 404,
  first: 'scope',
  bigLimit: 400,
  smallLimit: 400,
  order: 'oldest',
  missing: 'last',
  collate: 'units',
  cursor: 'base64',
  brokenCursor: 400,
  contradiction: 'refused',
  cursorKeepsLimit: false,
  unknownFilter: 'refused',
  unknownFilterValue: 'refused',
  projectFilterInProject: 'refused',
  pageParameter: 'ignored',
  sortable: {
    project: ['created_at', 'updated_at'],
    task: TASK_SORTS,
    team: ['created_at'],
    comment: ['created_at'],
    member: [],
  },
  unknownMembers: 'ignored',
  nulls: 'clear',
  valueStatus: 422,
  referenceStatus: 422,
  mixedStatus: 400,
  mixedLists: 'all',
  contentType: 'required',
  bareDates: 'refused',
  unknownMember: 'refused',
  creatorJoins: false,
  emptyPatch: 'nothing',
  teamScope: 'write',
  webhookScope: 'write',
  webhookStatus: 201,
  webhookBody: 'data',
  noEvents: 'all',
  snapshots: 'full',
  cascadeEvents: false,
  stamp: 'milliseconds',
  sharedUser: false,
};

const b: Style = {
  name: 'b',
  plans: [1000, 60],
  window: 'fixed',
  errorsCount: true,
  absent: 'left out',
  notFoundCode: 'resource_not_found',
  conflictCode: 'already_exists',
  sortCode: 'unsupported_sort',
  errorStatus: true,
  emptyDetails: false,
  patchStatus: 202,
  undocumentedStatus: 405,
  first: 'existence',
  bigLimit: 'clamp',
  smallLimit: 'clamp',
  order: 'newest',
  missing: 'lowest',
  collate: 'locale',
  cursor: 'token',
  brokenCursor: 'first page',
  contradiction: 'cursor wins',
  cursorKeepsLimit: true,
  unknownFilter: 'ignored',
  unknownFilterValue: 'empty',
  projectFilterInProject: 'ignored',
  pageParameter: 'refused',
  sortable: {
    project: ['created_at', 'updated_at', 'name'],
    task: [...TASK_SORTS, 'priority'],
    team: ['created_at', 'updated_at'],
    comment: ['created_at'],
    member: [],
  },
  unknownMembers: 'refused',
  nulls: 'refused',
  valueStatus: 400,
  referenceStatus: 400,
  mixedStatus: 400,
  mixedLists: 'structure',
  contentType: 'any',
  bareDates: 'midnight',
  unknownMember: 'refused',
  creatorJoins: false,
  emptyPatch: 'touches',
  teamScope: 'write',
  webhookScope: 'admin',
  webhookStatus: 201,
  webhookBody: 'top level',
  noEvents: 'refused',
  snapshots: 'minimal',
  cascadeEvents: true,
  stamp: 'offset',
  sharedUser: true,
};

const c: Style = {
  ...a,
  name: 'c',
  plans: [300, 1000],
  errorsCount: false,
  conflictCode: 'team_name_taken',
  bigLimit: 422,
  smallLimit: 422,
  order: 'id',
  missing: 'highest',
  collate: 'folded',
  cursor: 'hex',
  brokenCursor: 422,
  contradiction: 'cursor wins',
  unknownFilterValue: 'empty',
  projectFilterInProject: 'combined',
  sortable: { project: ['created_at'], task: TASK_SORTS, team: [], comment: [], member: [] },
  valueStatus: 400,
  mixedStatus: 422,
  contentType: 415,
  unknownMember: 'dropped',
  creatorJoins: true,
  teamScope: 'admin',
  webhookScope: 'admin',
  webhookStatus: 200,
  noEvents: 'refused',
  stamp: 'microseconds',
};

export const STYLES: Readonly<Record<StyleName, Style>> = { a, b, c };
