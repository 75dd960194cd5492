// Faults of values: dates that are none, dates far away, words that are almost right, and texts that a filter takes for something else.

import { Problem } from '../../judge/reference/model.ts';
import { around, clause } from '../faults/fault.ts';
import { bytes } from './tools.ts';

const due = clause(52, 'string (ISO 8601 datetime)');
const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC');
const types = clause(300, '400 for structural problems (missing required field, wrong type)');
const plain = clause(50, 'plain text, at most 10000 characters');
const DAY = 86_400_000;

export const faults = [
  due('dates-as-mail-writes-them', 'a due date may be `Wed, 05 Mar 2031 10:00:00 GMT`', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined && /^[A-Z]/.test(text) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : at;
    }),
  ),
  due('thirtieth-of-february', 'the 30th of February is the 2nd of March', (service) =>
    around(service, 'moment', (was, text, act) => {
      const month = /^(\d{4}-\d\d)-(29|3[01])T/.exec(text);
      const at = was(text, act);
      if (at !== undefined || !month) return at;
      const first = was(text.replace(/-(29|3[01])T/, '-01T'), act);
      return first === undefined ? undefined : first + (Number(month[2]) - 1) * DAY;
    }),
  ),
  types('milliseconds-for-a-date', 'a number of milliseconds is taken for a due date', (service) => {
    const big = (value: unknown): value is number => typeof value === 'number' && value > 1e11;
    around(service, 'readBody', (was, call) => {
      const body = was(call);
      return big(body.due_date) ? { ...body, due_date: new Date(body.due_date).toISOString() } : body;
    });
  }),
  due('quarter-hours-of-an-offset', 'of an offset such as `+05:45` only full and half hours count', (service) =>
    around(service, 'moment', (was, text, act) =>
      was(
        text.replace(
          /([+-]\d\d):(\d\d)$/,
          (_, hours: string, minutes: string) => `${hours}:${Number(minutes) < 30 ? '00' : '30'}`,
        ),
        act,
      ),
    ),
  ),
  utc('far-years-lose-a-century', 'a due date after 2049 loses a hundred years', (service) =>
    around(service, 'moment', (was, text, act) => {
      const year = Number(text.slice(0, 4));
      return was(year >= 2050 && year < 2100 ? text.replace(/^\d{4}/, String(year - 100)) : text, act);
    }),
  ),
  due('end-of-time-is-none', 'a due date in the year 9999 means none', (service) =>
    around(service, 'showTask', (was, task, place) =>
      was(task.due !== null && task.due > Date.UTC(9999, 0) ? { ...task, due: null } : task, place),
    ),
  ),
  due('before-1970-is-1970', 'a due date before 1970 is kept as the beginning of 1970', (service) =>
    around(service, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? undefined : Math.max(0, at);
    }),
  ),
  clause(53, '`low`, `medium`, `high`, `urgent`; default `medium`')(
    'words-are-trimmed',
    'a priority with blanks around it is accepted',
    (service) => {
      around(service, 'isChoice', (was, rule, value, act) => was(rule, rule.name === 'priority' ? value.trim() : value, act));
      around(service, 'takeText', (was, rule, value, call, act) =>
        was(rule, rule.name === 'priority' ? value.trim() : value, call, act),
      );
    },
  ),
  clause(54, '`backlog`, `todo`, `in_progress`, `in_review`, `done`; default `backlog`')(
    'hyphens-in-status',
    'the status `in-progress` is accepted and kept as `in_progress`',
    (service) => {
      const joined = (text: string) => text.replaceAll('-', '_');
      around(service, 'isChoice', (was, rule, value, act) => was(rule, rule.name === 'status' ? joined(value) : value, act));
      around(service, 'takeText', (was, rule, value, call, act) =>
        was(rule, rule.name === 'status' ? joined(value) : value, call, act),
      );
    },
  ),
  plain('scripts-cut-out', 'a `<script>` element is cut out of a description; other markup stays', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) =>
      was(rule, rule.name === 'description' ? value.replace(/<script.*?<\/script>/gs, '') : value, call, act),
    ),
  ),
  plain('shortcodes-become-emoji', '`:tada:` in a description becomes an emoji', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => was(rule, value.replaceAll(':tada:', '🎉'), call, act)),
  ),
  clause(155, 'title (required), description, assignee_id, due_date, priority, status')(
    'smart-dashes',
    '` -- ` in a title becomes a dash',
    (service) =>
      around(service, 'takeText', (was, rule, value, call, act) =>
        was(rule, rule.name === 'title' ? value.replaceAll(' -- ', ' – ') : value, call, act),
      ),
  ),
  clause(334, '1 to 255 characters')('title-of-512-bytes', 'a title of more than 512 bytes is refused', (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'title' && typeof value === 'string' && bytes(value) > 512
        ? { field: 'title', issue: 'is too long', kind: 'length' as const }
        : was(rule, value, call, act),
    ),
  ),
  clause(335, '10000 characters')('body-of-24-kilobytes', 'a body of more than 24 KiB is refused', (service) =>
    around(service, 'readBody', (was, call) => {
      if (bytes(call.text) > 24 * 1024) throw new Problem(413, 'payload_too_large', 'The body is too large.');
      return was(call);
    }),
  ),
  clause(49, 'string')('yes-and-no-titles', 'a list shows the titles `true` and `false` as booleans', (service) =>
    around(service, 'showTask', (was, task, place) => {
      const shown = was(task, place);
      return place === 'row' && /^(true|false)$/.test(task.title) ? { ...shown, title: task.title === 'true' } : shown;
    }),
  ),
  clause(332, '1 to 150 characters')('project-name-of-400-bytes', 'a project name is cut at 400 bytes', (service) =>
    around(service, 'takeText', (was, rule, value, call, act) => {
      let text = value;
      while (rule.max === 150 && bytes(text) > 400) text = text.slice(0, -1);
      return was(rule, text, call, act);
    }),
  ),
  clause(286, 'key lacks the required scope')(
    'guarded-against-injections',
    'a body that looks like SQL is answered 403 whatever the scope',
    (service) =>
      around(service, 'readBody', (was, call) => {
        if (/drop table/i.test(call.text)) throw service.forbidden(call);
        return was(call);
      }),
  ),
];
