// Tools for the faults of error-bodies.ts, validation.ts.
import type { Issue } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around } from './fault.ts';

export const issues = (service: Service, change: (issue: Issue) => unknown): void =>
  around(service, 'details', (was, problem) => (problem.issues ? { fields: problem.issues.map(change) } : was(problem)));
