// All checks, in the order of a run without shuffling.
import type { Check } from '../engine/check.ts';
import { accessChecks, listChecks, moreChecks, readChecks, wrongChecks } from '../situations/index.ts';
import { atOnceChecks } from '../stories/at-once.ts';
import { limitChecks } from '../stories/budget.ts';
import { deletionChecks, wholeChecks } from '../stories/cascades.ts';
import { commentChecks } from '../stories/comments.ts';
import { eventChecks } from '../stories/events.ts';
import { quotaChecks } from '../stories/quota.ts';
import { deliveryChecks } from '../stories/retries.ts';
import { controlChecks } from './control.ts';
import { lawChecks } from './laws.ts';
import { openPointChecks } from './open-points.ts';
import { recordChecks } from './records.ts';
import { referenceChecks } from './references.ts';
import { releaseChecks } from './releases.ts';
import { userChecks } from './users.ts';

export const CHECKS: readonly Check[] = [
  ...recordChecks,
  ...listChecks,
  ...wrongChecks,
  ...referenceChecks,
  ...readChecks,
  ...userChecks,
  ...accessChecks,
  ...commentChecks,
  ...deletionChecks,
  ...atOnceChecks,
  ...openPointChecks,
  ...limitChecks,
  ...quotaChecks,
  ...wholeChecks,
  ...eventChecks,
  ...deliveryChecks,
  ...controlChecks,
  ...releaseChecks,
  ...moreChecks,
  ...lawChecks,
];
