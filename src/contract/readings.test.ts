// Every place where the spec contradicts itself or is silent has a row among the open points, or a test that settles it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHOICES } from './choices.ts';

/** What settles each reading: ids of open points, or part of a test's name after a `=`. */
const READINGS: Readonly<Record<string, readonly string[]>> = {
  'rolling window or reset': ['rate-window'],
  'per workspace or per key': ['rate-source'],
  'rate headers without a workspace': [
    'anonymous-limit',
    '=is 401 unauthorized, at known and unknown paths, and uses up no budget',
  ],
  'page and offset removed inside v1': ['page-and-offset', '=ignores unknown parameters, page and offset'],
  '201 for creation, or not shown': ['webhook-create-status', 'webhook-create-shape'],
  'success status of PATCH': ['patch-status'],
  'who may create webhooks and teams': ['webhook-scope', 'team-scope'],
  'management of team members': ['=is 404 not_found once the key is known'],
  'private against any resource': ['=visibility restricts no key of the workspace'],
  'public against every request authenticates': ['=no answer without a key, whatever the visibility'],
  'which lists take filter and sort': ['sortable-fields', 'unknown-filter'],
  'two codes for 404': ['not-found-code'],
  'details always or sometimes': ['error-details', 'error-status-field'],
  '400 or 422': ['value-fault-status'],
  'structural and rule faults in one body': ['mixed-faults'],
  'the example of 422': ['=a due date in the past is accepted'],
  'team name taken': ['conflict-code', 'team-name-comparison', '=free again after deletion'],
  'timestamp against replay': ['=gets the same id, timestamp, bytes and signature each time'],
  'retry times': ['retry-counted-from'],
  'final after 2xx': ['=a retry that is acknowledged ends it'],
  'https and a test bench': ['webhook-url'],
  'all traffic is HTTPS': ['=the mock speaks plain HTTP on loopback'],
  'PUT without an endpoint': ['wrong-method', '=is 404 not_found once the key is known'],
  'webhooks in the read scope': ['=is 404 not_found once the key is known'],
  'comments read only': ['=is 404 not_found once the key is known'],
  'work assigned to a team': ['=members and tasks stay'],
  'attachments without a resource': ['=takes its tasks and their comments with it'],
  'resource types and event keys': ['member-snapshot', 'task-snapshot'],
  "a key's user and workspace": ['=scope alone decides'],
  'profile only, or new fields': ['owner-field', '=the profile is that of the user of the key', '=its members when read'],
  'opaque ids with known prefixes': ['id-style'],
  'maximum 100 and the limit applied': ['limit-above-100'],
  'only url is required': ['webhook-events-absent', 'all-events-name', 'repeated-ids'],
  'task updated_at': ['noop-patch', '=moves updated_at only when something changes'],
  'order of checks': ['check-order', '=checks come in one order'],
  'what counts against the budget': ['refused-requests', '=lets request N of N pass'],
  'what the cursor keeps': ['cursor-conflict', 'cursor-limit'],
  'broken cursor': ['broken-cursor'],
  'lowest limit': ['limit-below-1'],
  'changes between pages': ['=neither repeats nor skips records while others are created'],
  'sortable fields': ['sortable-fields'],
  'default order, ties, missing values': [
    'default-order',
    'null-due-date',
    '=keeps the order of creation where sort values are equal',
  ],
  'unknown filters and filter values': ['unknown-filter', 'filter-value', 'unknown-query'],
  'filter[project_id] under a project': ['project-filter-in-project'],
  'absent and cleared values': ['absent-values', 'null-in-body'],
  'unknown or server-set fields in a body': ['unknown-body-fields', '=fields that nobody knows or may set'],
  'empty PATCH': ['noop-patch'],
  'cascade and events': ['project-delete-events'],
  'snapshot of a deleted resource': ['=holds id, event, created_at and one key named after the resource'],
  signature: ['signature'],
  'what a failed attempt is': ['=%i is not followed', '=a name that cannot be resolved is a matter of DNS'],
  'invited but not joined': ['invited-members'],
  'team membership': ['repeated-ids', '=has members of the workspace alone'],
  'foreign ids in bodies': ['=its records are 404 for reads and writes'],
  'request Content-Type': ['content-type'],
  'codes without a name': ['conflict-code', 'internal-code', 'unsupported-sort-code'],
  'characters and plain text': ['length-unit', '=text comes back as it was sent'],
  datetimes: ['datetime-format', 'date-only', '=with due_date'],
  'calls without /v1': ['=a call without /v1'],
  'earlier releases': ['page-numbering', 'page-meta', 'deprecation-value', 'deprecation-reach', '=sends no Deprecation header'],
};

const tests = (readdirSync('src', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('readings.test.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n');
const titles = [...tests.matchAll(/(?:test|it)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"`])((?:(?!\1).)*)\1/g)].map(
  (match) => match[2]!,
);

describe('the readings of the spec', () => {
  test('are sixty', () => expect(Object.keys(READINGS)).toHaveLength(60));

  test.each(Object.entries(READINGS))('%s: is an open point or a test', (_, settled) => {
    for (const one of settled) {
      if (!one.startsWith('=')) expect(CHOICES).toHaveProperty([one]);
      else
        expect(
          titles.some((title) => title.includes(one.slice(1))),
          `no test is named "…${one.slice(1)}…"`,
        ).toBe(true);
    }
  });
});
