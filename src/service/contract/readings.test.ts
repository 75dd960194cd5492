// Every place where the spec contradicts itself or is silent has a row among the open points, or a requirement or test that settles it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHOICES } from './choices.ts';

/** For each reading what settles it: open points, requirements that the contract suite judges, or part of a test's name after a `=`. */
const READINGS: Readonly<Record<string, readonly string[]>> = {
  'rolling window or reset': ['rate-window'],
  'per workspace or per key': ['rate-source'],
  'rate headers without a workspace': ['anonymous-limit'],
  'page and offset removed inside v1': ['page-and-offset', 'WM-REL-012'],
  '201 for creation, or not shown': ['webhook-create-status', 'webhook-create-shape'],
  'success status of PATCH': ['patch-status'],
  'who may create webhooks and teams': ['webhook-scope', 'team-scope'],
  'management of team members': ['wrong-method'],
  'private against any resource': ['=visibility restricts no key of the workspace'],
  'public against every request authenticates': ['WM-AUTH-001'],
  'which lists take filter and sort': ['sortable-fields', 'unknown-filter'],
  'two codes for 404': ['not-found-code'],
  'details always or sometimes': ['error-details', 'error-status-field'],
  '400 or 422': ['value-fault-status'],
  'structural and rule faults in one body': ['mixed-faults'],
  'the example of 422': ['=a due date in the past is accepted'],
  'team name taken': ['conflict-code', 'team-name-comparison', 'WM-TEAM-023'],
  'timestamp against replay': ['=gets the same id, timestamp, bytes and signature each time'],
  'retry times': ['retry-counted-from'],
  'final after 2xx': ['=keeps one that is acknowledged after failures'],
  'https and a test bench': ['webhook-url'],
  'all traffic is HTTPS': ['=listens more than once, each world at its own address'],
  'PUT without an endpoint': ['wrong-method'],
  'webhooks in the read scope': ['wrong-method'],
  'comments read only': ['WM-CMT-008'],
  'work assigned to a team': ['WM-EP-055'],
  'attachments without a resource': ['WM-EP-033'],
  'resource types and event keys': ['member-snapshot', 'task-snapshot'],
  "a key's user and workspace": ['=scope alone decides'],
  'profile only, or new fields': ['owner-field', 'WM-USER-014', 'WM-TEAM-011'],
  'opaque ids with known prefixes': ['id-style'],
  'maximum 100 and the limit applied': ['limit-above-100'],
  'only url is required': ['webhook-events-absent', 'all-events-name', 'repeated-ids'],
  'task updated_at': ['noop-patch'],
  'order of checks': ['check-order', '=checks come in one order'],
  'what counts against the budget': ['refused-requests'],
  'what the cursor keeps': ['cursor-conflict', 'cursor-limit'],
  'broken cursor': ['broken-cursor'],
  'lowest limit': ['limit-below-1'],
  'changes between pages': ['=every list is what filtering, sorting and slicing'],
  'sortable fields': ['sortable-fields'],
  'default order, ties, missing values': ['default-order', 'null-due-date', '=every list is what filtering, sorting and slicing'],
  'unknown filters and filter values': ['unknown-filter', 'filter-value', 'unknown-query'],
  'filter[project_id] under a project': ['project-filter-in-project'],
  'absent and cleared values': ['absent-values', 'null-in-body'],
  'unknown or server-set fields in a body': ['unknown-body-fields', 'WM-PROJ-032'],
  'empty PATCH': ['noop-patch'],
  'cascade and events': ['project-delete-events'],
  'snapshot of a deleted resource': ['WM-EVT-003', 'WM-EVT-024'],
  signature: ['signature'],
  'what a failed attempt is': ['=%i is not followed', '=a name that cannot be resolved is a matter of DNS'],
  'invited but not joined': ['invited-members'],
  'team membership': ['repeated-ids', 'WM-ISO-018'],
  'foreign ids in bodies': ['WM-TASK-016', 'WM-ISO-020'],
  'request Content-Type': ['content-type'],
  'codes without a name': ['conflict-code', 'internal-code', 'unsupported-sort-code'],
  'characters and plain text': ['length-unit', '=text comes back as it was sent'],
  datetimes: ['datetime-format', 'date-only'],
  'calls without /v1': ['=a call without /v1'],
  'earlier releases': ['=limit, cursor, page and offset come and go with the releases', 'WM-REL-009', 'WM-REL-012'],
};

const REQUIREMENTS = readFileSync('contract-tests/requirements.yaml', 'utf8');
const TITLE = /(?:test|it)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"`])((?:(?!\1).)*)\1/g;
const titles = (readdirSync('src', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('readings.test.ts'))
  .flatMap((file) => [...readFileSync(join('src', file), 'utf8').matchAll(TITLE)].map((match) => match[2]!));

test('the readings of the spec are sixty', () => expect(Object.keys(READINGS)).toHaveLength(60));

test.each(Object.entries(READINGS))('%s: is an open point or a test', (_, settled) => {
  for (const one of settled)
    if (one.startsWith('WM-')) expect(REQUIREMENTS).toContain(`  ${one}: [`);
    else if (!one.startsWith('=')) expect(CHOICES).toHaveProperty([one]);
    else
      expect(
        titles.filter((title) => title.includes(one.slice(1))),
        one,
      ).not.toEqual([]);
});
