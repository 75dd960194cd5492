// Faults of status codes and of the shapes around what is answered.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { onSuccess } from '../faults-fourth/tools.ts';

const json = clause(10, 'Every response body is JSON, except the empty body of `204`.');
const single = clause(20, '{ "data": { <resource fields> } }');
const list = clause(21, '{ "items": [ <resource>, ... ], "meta": { total, limit, has_more, next_cursor } }');
const success = clause(24, '`200` for reads, `201` for creation, `204` (empty body) for deletion.');
const malformed = clause(284, 'malformed request or missing or wrongly typed parameters');

export const faults: readonly Fault[] = [
  single('project-answered-bare', 'POST /projects answers the project itself, not in data', (s) =>
    onSuccess(s, ['createProject'], (_call, answer) => {
      answer.body = (answer.body as { data: unknown }).data;
    }),
  ),
  success('created-task-200', 'a created task is answered with 200', (s) =>
    onSuccess(s, ['createTask'], (_call, answer) => {
      answer.status = 200;
    }),
  ),
  list('comments-in-data', 'the list of comments stands in data, not in items', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      query.listing.name === 'comment' ? { data: items, meta } : was(items, meta, query),
    ),
  ),
  success('deleted-team-200', 'DELETE /teams/{team_id} answers 200 with an empty object', (s) =>
    onSuccess(s, ['deleteTeam'], (_call, answer) => {
      answer.status = 200;
      answer.body = {};
    }),
  ),
  json('unknown-path-page', 'a path that is not documented is answered with the HTML page of the framework', (s) =>
    around(s, 'write', (was, answer, call) =>
      call.key && call.operation === undefined && [404, 405].includes(answer.status)
        ? { text: `<!DOCTYPE html><pre>Cannot ${call.method} ${call.path}</pre>`, type: 'text/html; charset=utf-8' }
        : was(answer, call),
    ),
  ),
  malformed('broken-json-500', 'a body that is not JSON gives 500', (s) =>
    around(s, 'parse', (was, text, call) => {
      try {
        return was(text, call);
      } catch {
        throw new Problem(500, 'internal_error', 'Something broke.');
      }
    }),
  ),
  list('empty-items-null', 'items is null when nothing is in the list', (s) =>
    around(s, 'page', (was, items, meta, query) => (items.length === 0 ? { items: null, meta } : was(items, meta, query))),
  ),
];
