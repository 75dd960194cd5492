// The specification's open points by name, with the answers that have a name. A run records which one it saw.
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'owner-field': ['absent', 'owner_id'],
  'id-style': ['prefixed', 'opaque'],
  'absent-values': ['null', 'left-out'],
  'null-in-body': ['clears', 'refused'],
  'datetime-format': ['milliseconds', 'seconds', 'offset'],
  'date-only': ['refused', 'midnight'],
  'length-unit': ['code-points', 'utf-16'],
  'noop-patch': ['unchanged', 'touched'],
  'patch-status': ['200', '201', '202'],
  'webhook-create-status': ['201', '200'],
  'webhook-create-shape': ['data', 'bare', 'minimal'],
  'webhook-url': ['loopback-too', 'https-only', 'public-https'],
  'webhook-events-absent': ['all', 'refused', 'none'],
  'all-events-name': ['refused', 'star'],
  'repeated-ids': ['collapsed', 'refused'],
  'team-name-comparison': ['exact', 'ignore-case'],
  'wrong-method': ['404', '405'],
  'content-type': ['required', 'lenient'],
  'unknown-body-fields': ['ignored', 'refused'],
  'limit-above-100': ['refused', 'clamped'],
  'limit-below-1': ['refused', 'clamped'],
  'default-order': ['oldest', 'newest'],
  'null-due-date': ['last', 'first', 'largest'],
  'sortable-fields': ['fitting', 'tasks', 'titleless'],
  'unknown-filter': ['refused', 'ignored'],
  'filter-value': ['refused', 'empty'],
  'project-filter-in-project': ['combined', 'ignored', 'refused'],
  'unknown-query': ['ignored', 'refused'],
  'page-and-offset': ['ignored', 'refused'],
  'cursor-conflict': ['refused', 'cursor-wins'],
  'cursor-limit': ['fresh', 'kept'],
  'broken-cursor': ['refused', 'first-page'],
  'webhook-scope': ['write', 'admin'],
  'team-scope': ['write', 'admin'],
  'check-order': ['record', 'body'],
  'www-authenticate': ['present', 'absent'],
  'not-found-code': ['not_found', 'resource_not_found'],
  'conflict-code': ['conflict', 'already_exists'],
  'internal-code': ['internal_error', 'server_error'],
  'unsupported-sort-code': ['validation_error', 'unsupported_sort'],
  'error-details': ['always', 'when-filled'],
  'error-status-field': ['absent', 'present'],
  'value-fault-status': ['422', '400'],
  'mixed-faults': ['400-all', '400-structural', '422-all'],
  'rate-window': ['rolling', 'fixed'],
  'rate-source': ['workspace', 'workspace-and-key'],
  'refused-requests': ['not-counted', 'counted'],
  'anonymous-limit': ['pro', 'free'],
  'retry-after': ['present', 'absent'],
  'member-snapshot': ['member', 'profile'],
  'task-snapshot': ['full', 'minimal'],
  'project-delete-events': ['project', 'each'],
  signature: ['hex', 'stripe', 'github', 'standard-webhooks'],
  'retry-counted-from': ['failure', 'attempt'],
  'invited-members': ['hidden', 'listed'],
};

/** Open points that a run cannot see, with the reason. */
export const UNOBSERVED: Readonly<Record<string, string>> = {
  'internal-code': 'a 500 cannot be provoked',
  'webhook-events-absent': 'it would take a registration more that the API cannot delete',
  'all-events-name': 'it would take a registration more that the API cannot delete',
  'retry-counted-from': 'attempts that fail at once do not tell the two apart',
};

export class Observations {
  /** What was seen, by name; a value outside the named options is kept in others. */
  readonly seen = new Map<string, string>();
  readonly others = new Map<string, string>();

  observe(name: string, value: string | undefined): void {
    const options = CHOICES[name];
    if (!options) throw new TypeError(`no open point is named ${name}`);
    if (value === undefined || this.seen.has(name)) return;
    if (options.includes(value)) this.seen.set(name, value);
    else this.others.set(name, value);
  }
}
