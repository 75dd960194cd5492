// Every place where the spec contradicts itself or is silent has a row among the open points, or a test that settles it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHOICES } from './choices.ts';

/** What settles each reading: ids of open points, or part of a test's name after a `=`. */
const READINGS: Readonly<Record<string, readonly string[]>> = {
  'K01 rolling window or reset': ['rate-window'],
  'K02 per workspace or per key': ['rate-source'],
  'K03 rate headers without a workspace': [
    'anonymous-limit',
    '=is 401 unauthorized, at known and unknown paths, and uses up no budget',
  ],
  'K04 page and offset removed inside v1': ['page-and-offset', '=ignores unknown parameters, page and offset'],
  'K05 201 for creation, or not shown': ['webhook-create-status', 'webhook-create-shape'],
  'K06 success status of PATCH': ['patch-status'],
  'K07 who may create webhooks and teams': ['webhook-scope', 'team-scope'],
  'K08 management of team members': ['=is 404 not_found once the key is known'],
  'K09 private against any resource': ['=visibility restricts no key of the workspace'],
  'K10 public against every request authenticates': ['=no answer without a key, whatever the visibility'],
  'K11 which lists take filter and sort': ['sortable-fields', 'unknown-filter'],
  'K12 two codes for 404': ['not-found-code'],
  'K13 details always or sometimes': ['error-details', 'error-status-field'],
  'K14 400 or 422': ['value-fault-status'],
  'K15 structural and rule faults in one body': ['mixed-faults'],
  'K16 the example of 422': ['=a due date in the past is accepted'],
  'K17 team name taken': ['conflict-code', 'team-name-comparison', '=free again after deletion'],
  'K18 timestamp against replay': ['=gets the same id, timestamp, bytes and signature each time'],
  'K19 retry times': ['retry-counted-from'],
  'K20 final after 2xx': ['=a retry that is acknowledged ends it'],
  'K21 https and a test bench': ['webhook-url'],
  'K22 all traffic is HTTPS': ['=the mock speaks plain HTTP on loopback'],
  'K23 PUT without an endpoint': ['wrong-method', '=is 404 not_found once the key is known'],
  'K24 webhooks in the read scope': ['=is 404 not_found once the key is known'],
  'K25 comments read only': ['=is 404 not_found once the key is known'],
  'K26 work assigned to a team': ['=members and tasks stay'],
  'K27 attachments without a resource': ['=takes its tasks and their comments with it'],
  'K28 resource types and event keys': ['member-snapshot', 'task-snapshot'],
  "K29 a key's user and workspace": ['=scope alone decides'],
  'K30 profile only, or new fields': ['owner-field', '=the profile is that of the user of the key', '=its members when read'],
  'K31 opaque ids with known prefixes': ['id-style'],
  'K32 maximum 100 and the limit applied': ['limit-above-100'],
  'K33 only url is required': ['webhook-events-absent', 'all-events-name', 'repeated-ids'],
  'K34 task updated_at': ['noop-patch', '=moves updated_at only when something changes'],
  'K35 order of checks': ['check-order', '=checks come in one order'],
  'K36 what counts against the budget': ['refused-requests', '=lets request N of N pass'],
  'K37 what the cursor keeps': ['cursor-conflict', 'cursor-limit'],
  'K38 broken cursor': ['broken-cursor'],
  'K39 lowest limit': ['limit-below-1'],
  'K40 changes between pages': ['=neither repeats nor skips records while others are created'],
  'K41 sortable fields': ['sortable-fields'],
  'K42 default order, ties, missing values': [
    'default-order',
    'null-due-date',
    '=keeps the order of creation where sort values are equal',
  ],
  'K43 unknown filters and filter values': ['unknown-filter', 'filter-value', 'unknown-query'],
  'K44 filter[project_id] under a project': ['project-filter-in-project'],
  'K45 absent and cleared values': ['absent-values', 'null-in-body'],
  'K46 unknown or server-set fields in a body': ['unknown-body-fields', '=fields that nobody knows or may set'],
  'K47 empty PATCH': ['noop-patch'],
  'K48 cascade and events': ['project-delete-events'],
  'K49 snapshot of a deleted resource': ['=holds id, event, created_at and one key named after the resource'],
  'K50 signature': ['signature'],
  'K51 what a failed attempt is': ['=%i is not followed', '=a name that cannot be resolved is a matter of DNS'],
  'K52 invited but not joined': ['invited-members'],
  'K53 team membership': ['repeated-ids', '=has members of the workspace alone'],
  'K54 foreign ids in bodies': ['=its records are 404 for reads and writes'],
  'K55 request Content-Type': ['content-type'],
  'K56 codes without a name': ['conflict-code', 'internal-code', 'unsupported-sort-code'],
  'K57 characters and plain text': ['length-unit', '=text comes back as it was sent'],
  'K58 datetimes': ['datetime-format', 'date-only', '=with due_date'],
  'K59 calls without /v1': ['=a call without /v1'],
  'K60 earlier releases': [
    'page-numbering',
    'page-meta',
    'deprecation-value',
    'deprecation-reach',
    '=sends no Deprecation header',
  ],
};

const tests = (readdirSync('src', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('readings.test.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n');
const titles = [...tests.matchAll(/(?:test|it)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:(?!\1).)*)\1/g)].map((match) => match[2]!);

describe('the readings of the spec', () => {
  test('are sixty, K01 to K60', () => {
    expect(Object.keys(READINGS).map((row) => row.slice(0, 3))).toEqual(
      Array.from({ length: 60 }, (_, i) => `K${String(i + 1).padStart(2, '0')}`),
    );
  });

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
