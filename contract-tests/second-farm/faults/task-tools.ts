// Tools for the faults of task-texts.ts, task-values.ts, task-marks.ts.
import type { Fields, Task } from '../../judge/reference/model.ts';
import type { Act } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, isOn } from './fault.ts';

export const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC.');

export const show = (service: Service, change: (fields: Fields, task: Task) => Fields, ...places: string[]): void =>
  around(service, 'showTask', (was, task, place) => {
    const fields = was(task, place);
    return places.length === 0 || places.includes(place) ? change(fields, task) : fields;
  });

export const stored = (service: Service, field: string, change: (text: string) => string, only?: Act): void =>
  around(service, 'takeText', (was, each, value, call, act) => {
    const text = was(each, value, call, act);
    return each.name === field && isOn(call, 'createTask', 'changeTask') && (!only || only === act) ? change(text) : text;
  });

export const born = (service: Service, change: (task: Task, sent: Fields) => Partial<Task>): void =>
  around(service, 'newTask', (was, sent, project, call) => {
    const made = was(sent, project, call);
    return { ...made, ...change(made, sent) };
  });

export const HOUR = 3_600_000;
