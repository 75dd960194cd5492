// Three conforming mixtures of choices of open points: a row for each point, with the choice of each style.

export const STYLE_NAMES = ['a', 'b', 'c'] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

const TASKS = ['due_date', 'created_at', 'updated_at', 'title'];
const TIMES = ['created_at', 'updated_at'];

const TABLE = {
  /** Requests a minute of the first workspace and of the second. */
  plans: [
    [300, 1000],
    [1000, 60],
    [300, 1000],
  ],
  window: ['sliding', 'fixed', 'sliding'],
  errorsCount: [true, true, false],
  absent: ['null', 'left out', 'null'],
  notFoundCode: ['not_found', 'resource_not_found', 'not_found'],
  conflictCode: ['conflict', 'already_exists', 'team_name_taken'],
  sortCode: ['validation_error', 'unsupported_sort', 'validation_error'],
  errorStatus: [false, true, false],
  emptyDetails: [true, false, true],
  patchStatus: [200, 202, 200],
  /** Status of an undocumented method or path. */
  undocumentedStatus: [404, 405, 404],
  first: ['scope', 'existence', 'scope'],
  bigLimit: [400, 'clamp', 422],
  smallLimit: [400, 'clamp', 422],
  order: ['oldest', 'newest', 'id'],
  /** Where records without a value stand. */
  missing: ['last', 'lowest', 'highest'],
  collate: ['units', 'locale', 'folded'],
  cursor: ['base64', 'token', 'hex'],
  brokenCursor: [400, 'first page', 422],
  /** The outcome when a query contradicts the cursor it comes with. */
  contradiction: ['refused', 'cursor wins', 'cursor wins'],
  cursorKeepsLimit: [false, true, false],
  unknownFilter: ['refused', 'ignored', 'refused'],
  unknownFilterValue: ['refused', 'empty', 'empty'],
  projectFilterInProject: ['refused', 'ignored', 'combined'],
  pageParameter: ['ignored', 'refused', 'ignored'],
  sortable: [
    { project: TIMES, task: TASKS, team: ['created_at'], comment: ['created_at'], member: [] },
    { project: [...TIMES, 'name'], task: [...TASKS, 'priority'], team: TIMES, comment: ['created_at'], member: [] },
    { project: ['created_at'], task: TASKS, team: [], comment: [], member: [] },
  ],
  unknownMembers: ['ignored', 'refused', 'ignored'],
  nulls: ['clear', 'refused', 'clear'],
  valueStatus: [422, 400, 400],
  referenceStatus: [422, 400, 422],
  mixedStatus: [400, 400, 422],
  mixedLists: ['all', 'structure', 'all'],
  contentType: ['required', 'any', 415],
  bareDates: ['refused', 'midnight', 'refused'],
  unknownMember: ['refused', 'refused', 'dropped'],
  creatorJoins: [false, false, true],
  emptyPatch: ['nothing', 'touches', 'nothing'],
  teamScope: ['write', 'write', 'admin'],
  webhookScope: ['write', 'admin', 'admin'],
  webhookStatus: [201, 201, 200],
  webhookBody: ['data', 'top level', 'data'],
  noEvents: ['all', 'refused', 'refused'],
  snapshots: ['full', 'minimal', 'full'],
  cascadeEvents: [false, true, false],
  stamp: ['milliseconds', 'offset', 'microseconds'],
  /** One user belongs to both workspaces. */
  sharedUser: [false, true, false],
} as const;

type Loosened<T> = T extends boolean ? boolean : T extends readonly [number, number] ? readonly [number, number] : T;
type Point = Exclude<keyof typeof TABLE, 'sortable'>;
export type Style = { readonly [P in Point]: Loosened<(typeof TABLE)[P][number]> } & {
  readonly sortable: Readonly<Record<string, readonly string[]>>;
};

export const STYLES = Object.fromEntries(
  STYLE_NAMES.map((name, index) => [name, Object.fromEntries(Object.entries(TABLE).map(([point, row]) => [point, row[index]]))]),
) as unknown as Readonly<Record<StyleName, Style>>;
