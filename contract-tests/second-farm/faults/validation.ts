// Faults of validation errors.
import { Problem } from '../../judge/reference/model.ts';
import { issues } from './error-tools.ts';
import { around, clause, type Fault, isOn, without } from './fault.ts';

const validation = clause(300, '| validation_error | 400 or 422 |');
const structural = clause(300, '400 for structural problems (missing required field, wrong type)');
const violations = clause(300, '422 for rule violations');
const each = clause(300, '`details.fields` lists each failing field');
const malformed = clause(284, 'malformed request or missing or wrongly typed parameters');
const rules = clause(289, 'well-formed request failing semantic rules');
const codes: Fault[] = [
  validation('validation-code-400', 'the code of a 400 is bad_request', (s) =>
    around(s, 'invalid', (was, at, list, call) => Object.assign(was(at, list, call), at === 400 ? { code: 'bad_request' } : {})),
  ),
  validation('validation-code-422', 'the code of a 422 is unprocessable_entity', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), at === 422 ? { code: 'unprocessable_entity' } : {}),
    ),
  ),
  validation('validation-code-by-field', 'the code of a failing title is invalid_title', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), list[0]?.field === 'title' ? { code: 'invalid_title' } : {}),
    ),
  ),
  validation('validation-code-plural', 'the code is validation_errors when several fields fail', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), list.length > 1 ? { code: 'validation_errors' } : {}),
    ),
  ),
  validation('validation-code-missing-field', 'the code of a missing field is missing_field', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), list.some(({ issue }) => issue === 'is required') ? { code: 'missing_field' } : {}),
    ),
  ),
  validation('validation-code-teams', 'the code for teams is invalid_team', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      Object.assign(was(at, list, call), isOn(call, 'createTeam') ? { code: 'invalid_team' } : {}),
    ),
  ),
  structural('missing-field-422', 'a missing field answers 422', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.issue === 'is required' ? 422 : was(issue))),
  ),
  structural('missing-field-404', 'a missing title answers 404', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ issue, field }) => issue === 'is required' && field === 'title')
        ? s.notFound(call, 'title')
        : was(list, call, resource, act),
    ),
  ),
  structural('missing-field-500', 'a missing url of a webhook answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      resource === 'webhook' && list.some(({ issue }) => issue === 'is required')
        ? new Problem(500, 'internal_error', 'undefined')
        : was(list, call, resource, act),
    ),
  ),
  structural('wrong-type-422', 'a wrong type answers 422', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.issue === 'has the wrong type' ? 422 : was(issue))),
  ),
  structural('wrong-type-422-patched', 'a wrong type in PATCH answers 422', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      act === 'change' && list.every(({ kind }) => kind === 'structure')
        ? s.invalid(422, list, call)
        : was(list, call, resource, act),
    ),
  ),
  structural('wrong-type-500', 'a wrong type in PATCH of a task answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      resource === 'task' && act === 'change' && list.some(({ issue }) => issue === 'has the wrong type')
        ? new Problem(500, 'internal_error', 'TypeError')
        : was(list, call, resource, act),
    ),
  ),
  structural('wrong-type-stringified', 'numbers and booleans become texts', (s) => {
    const text = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
    around(s, 'checkValue', (was, rule, value, call, act) => was(rule, rule.kind === 'text' ? text(value) : value, call, act));
    around(s, 'takeText', (was, rule, value, call, act) => String(was(rule, value, call, act)));
  }),
  structural('wrong-type-boolean-title', 'true is taken as a title in PATCH', (s) => {
    around(s, 'checkValue', (was, rule, value, call, act) =>
      was(rule, rule.name === 'title' && act === 'change' && value === true ? 'true' : value, call, act),
    );
    around(s, 'takeText', (was, rule, value, call, act) => String(was(rule, value, call, act)));
  }),
  structural('wrong-type-first-of-list', 'an array of one text is taken as the text, for description', (s) => {
    const first = (name: string, value: unknown) =>
      name === 'description' && Array.isArray(value) && typeof value[0] === 'string' ? value[0] : value;
    around(s, 'checkValue', (was, rule, value, call, act) => was(rule, first(rule.name, value), call, act));
    around(s, 'take', (was, rule, value, call, act) => was(rule, first(rule.name, value), call, act));
  }),
  structural('wrong-type-ignored-description', 'a description of a wrong type is ignored', (s) => {
    around(s, 'readBody', (was, call) => {
      const body = was(call);
      return 'description' in body && typeof body.description !== 'string' && body.description !== null
        ? without(body, 'description')
        : body;
    });
  }),
  structural('wrong-type-ignored-status', 'a status of a wrong type is ignored in PATCH', (s) => {
    around(s, 'readBody', (was, call) => {
      const body = was(call);
      return isOn(call, 'changeTask') && 'status' in body && typeof body.status !== 'string' ? without(body, 'status') : body;
    });
  }),
  structural('wrong-type-json-in-name', 'objects are stored as JSON in the name', (s) => {
    around(s, 'checkValue', (was, rule, value, call, act) =>
      was(rule, rule.name === 'name' && typeof value === 'object' && value !== null ? JSON.stringify(value) : value, call, act),
    );
    around(s, 'takeText', (was, rule, value, call, act) =>
      typeof value === 'object' ? JSON.stringify(value) : was(rule, value, call, act),
    );
  }),
  violations('too-long-400', 'a text that is too long answers 400', (s) =>
    around(s, 'statusOf', (was, issue) => (issue.kind === 'length' ? 400 : was(issue))),
  ),
  violations('too-long-400-patched', 'a text that is too long in PATCH answers 400', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      act === 'change' && list.every(({ kind }) => kind === 'length')
        ? s.invalid(400, list, call)
        : was(list, call, resource, act),
    ),
  ),
  violations('too-long-description-413', 'a description that is too long answers 413', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'length' && field === 'description')
        ? new Problem(413, 'validation_error', 'Too large.', list)
        : was(list, call, resource, act),
    ),
  ),
  violations('too-long-team-name-400', 'a team name that is too long answers 400', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      resource === 'team' && list.some(({ kind }) => kind === 'length')
        ? s.invalid(400, list, call)
        : was(list, call, resource, act),
    ),
  ),
  rules('too-long-500', 'a title that is too long for the column answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'length' && field === 'title')
        ? new Problem(500, 'internal_error', 'value too long for type character varying(255)')
        : was(list, call, resource, act),
    ),
  ),
  rules('unknown-value-500', 'a status outside the enumeration answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'value' && field === 'status')
        ? new Problem(500, 'internal_error', 'invalid input value for enum')
        : was(list, call, resource, act),
    ),
  ),
  rules('unknown-value-409', 'a visibility outside the enumeration answers 409', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'value' && field === 'visibility')
        ? s.conflict(call)
        : was(list, call, resource, act),
    ),
  ),
  rules('bad-date-500', 'an unparsable due_date answers 500', (s) =>
    around(s, 'refuse', (was, list, call, resource, act) =>
      list.some(({ kind, field }) => kind === 'value' && field === 'due_date')
        ? new Problem(500, 'internal_error', 'RangeError: Invalid time value')
        : was(list, call, resource, act),
    ),
  ),
  each('fields-first-only', 'only the first failing field is listed', (s) =>
    around(s, 'invalid', (was, at, list, call) => was(at, list.slice(0, 1), call)),
  ),
  each('fields-last-only', 'only the last failing field is listed', (s) =>
    around(s, 'invalid', (was, at, list, call) => was(at, list.slice(-1), call)),
  ),
  each('fields-two-at-most', 'at most two failing fields are listed', (s) =>
    around(s, 'invalid', (was, at, list, call) => was(at, list.slice(0, 2), call)),
  ),
  each('fields-body', 'the failing field is named body', (s) => issues(s, ({ issue }) => ({ field: 'body', issue }))),
  each('fields-assignee', 'a failing assignee_id is named assignee', (s) =>
    issues(s, ({ field, issue }) => ({ field: field === 'assignee_id' ? 'assignee' : field, issue })),
  ),
  each('fields-camel-case', 'failing fields are named in camelCase', (s) =>
    issues(s, ({ field, issue }) => ({ field: field.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), issue })),
  ),
  each('fields-project-name-as-title', 'a failing name of a project is listed as title', (s) =>
    around(s, 'invalid', (was, at, list, call) =>
      was(
        at,
        list.map((issue) =>
          call.operation?.endsWith('Project') && issue.field === 'name' ? { ...issue, field: 'title' } : issue,
        ),
        call,
      ),
    ),
  ),
  malformed('malformed-json-422', 'a body that is not JSON answers 422', (s) =>
    around(s, 'parse', (was, text, call) =>
      guarded(
        () => was(text, call),
        () => Object.assign(s.malformed(call, 'Not JSON.'), { status: 422 }),
      ),
    ),
  ),
  malformed('malformed-json-500', 'a body that is not JSON answers 500', (s) =>
    around(s, 'parse', (was, text, call) =>
      guarded(
        () => was(text, call),
        () => new Problem(500, 'internal_error', 'SyntaxError'),
      ),
    ),
  ),
  malformed('malformed-json-500-patched', 'a body that is not JSON answers 500 in PATCH', (s) =>
    around(s, 'parse', (was, text, call) =>
      call.method === 'PATCH'
        ? guarded(
            () => was(text, call),
            () => new Problem(500, 'internal_error', 'SyntaxError'),
          )
        : was(text, call),
    ),
  ),
  malformed('malformed-json-as-empty', 'a body that is not JSON is taken as {} in PATCH', (s) => {
    around(s, 'parse', (was, text, call) => {
      try {
        return was(text, call);
      } catch (error) {
        if (call.method === 'PATCH') return {};
        throw error;
      }
    });
  }),
  malformed('malformed-json-415', 'a body that is not JSON answers 415', (s) =>
    around(s, 'malformed', (was, call, text) => Object.assign(was(call, text), { status: 415 })),
  ),
  malformed('trailing-json-ignored', 'what follows the first JSON object is ignored', (s) =>
    around(s, 'parse', (was, text, call) => was(/^\{[^{}]*\}(?=.)/.exec(text)?.[0] ?? text, call)),
  ),
  malformed('array-body-500', 'a body that is an array answers 500', (s) => {
    around(s, 'readBody', (was, call) => {
      if (call.text.trim().startsWith('[')) throw new Problem(500, 'internal_error', 'not an object');
      return was(call);
    });
  }),
  malformed('array-body-as-empty', 'a body that is an array is taken as {} in PATCH', (s) =>
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      return Array.isArray(body) && call.method === 'PATCH' ? {} : body;
    }),
  ),
  malformed('null-body-500', 'a body of null answers 500', (s) => {
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      if (body === null) throw new Problem(500, 'internal_error', 'Cannot read properties of null');
      return body;
    });
  }),
];
const guarded = <T>(work: () => T, otherwise: () => Problem): T => {
  try {
    return work();
  } catch {
    throw otherwise();
  }
};

export const faults: readonly Fault[] = [...codes];
