// All checks, in the order of a run without shuffling.
import type { Check } from '../engine/check.ts';
import { authenticationChecks } from './authentication.ts';
import { commentChecks } from './comments.ts';
import { controlChecks } from './control.ts';
import { deletionChecks } from './deletion.ts';
import { deliveryChecks } from './deliveries.ts';
import { errorChecks } from './errors.ts';
import { eventChecks } from './events.ts';
import { filterChecks } from './filters.ts';
import { isolationChecks } from './isolation.ts';
import { lawChecks } from './laws.ts';
import { limitChecks } from './limits.ts';
import { listChecks } from './lists.ts';
import { openPointChecks } from './open-points.ts';
import { projectChecks } from './projects.ts';
import { readOnlyChecks } from './read-only.ts';
import { releaseChecks } from './releases.ts';
import { scopeChecks } from './scopes.ts';
import { sortingChecks } from './sorting.ts';
import { taskRuleChecks } from './task-rules.ts';
import { taskChecks } from './tasks.ts';
import { teamChecks } from './teams.ts';
import { userChecks } from './users.ts';

export const CHECKS: readonly Check[] = [
  ...projectChecks,
  ...taskChecks,
  ...taskRuleChecks,
  ...listChecks,
  ...filterChecks,
  ...sortingChecks,
  ...readOnlyChecks,
  ...userChecks,
  ...teamChecks,
  ...commentChecks,
  ...errorChecks,
  ...authenticationChecks,
  ...scopeChecks,
  ...isolationChecks,
  ...deletionChecks,
  ...openPointChecks,
  ...limitChecks,
  ...eventChecks,
  ...deliveryChecks,
  ...controlChecks,
  ...releaseChecks,
  ...lawChecks,
];
