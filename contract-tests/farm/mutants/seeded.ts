// Faults that no wrapper can make: those of events, deliveries and the quota, seeded in the foreign server.
import { type Mutant, mutant, seeded } from '../mutant.ts';
import { after, is } from '../wrap.ts';

const quota = ['quota'] as const;

export const seededMutants: readonly Mutant[] = [
  seeded(150, '429-never', 'RATE-017', quota),
  seeded(151, '429-early', 'RATE-018', quota),
  seeded(152, '429-code', 'RATE-019', quota),
  {
    ...mutant(
      153,
      '429-lacks-headers',
      'RATE-020',
      after(
        (_c, a) => a.status === 429,
        (a) => (a.headers = { 'content-type': 'application/json' }),
      ),
    ),
    allow: quota,
  },
  {
    ...mutant(154, '429-creates', 'RATE-021', () => {
      let name: string | undefined;
      return async (call, next) => {
        const answer = await next(call);
        if (answer.status === 429 && is('POST /projects')(call)) name = call.body.name;
        if (name && is('GET /projects')(call) && answer.status === 200)
          answer.json.items.push({ ...answer.json.items[0], id: 'leaked', name });
        return answer;
      };
    }),
    allow: quota,
  },
  {
    ...mutant(
      undefined,
      'remaining-one-low',
      'RATE-017',
      after(
        () => true,
        ({ headers }) => {
          headers['x-ratelimit-remaining'] = String(Math.max(0, Number(headers['x-ratelimit-remaining']) - 1));
        },
      ),
    ),
    allow: quota,
  },
  seeded(155, 'window-of-an-hour', 'RATE-022', quota),
  seeded(157, 'hook-silent', 'EVT-001'),
  seeded(undefined, 'hook-address-taken', 'EVT-001'),
  seeded(undefined, 'event-per-name', 'EVT-037'),
  seeded(158, 'hook-unsubscribed', 'EVT-026 EVT-028'),
  seeded(159, 'hook-snake-name', 'EVT-019'),
  seeded(160, 'hook-created-on-patch', 'EVT-033'),
  seeded(161, 'hook-no-project-deleted', 'EVT-006'),
  seeded(162, 'hook-on-refusal', 'EVT-027'),
  seeded(163, 'hook-type-key', 'EVT-019'),
  seeded(164, 'hook-bare-data', 'EVT-022'),
  seeded(165, 'hook-two-keys', 'EVT-022'),
  seeded(166, 'hook-no-assignee', 'EVT-023'),
  seeded(167, 'hook-stale-snapshot', 'EVT-024'),
  seeded(168, 'hook-form', 'EVT-010'),
  seeded(169, 'hook-put', 'EVT-009'),
  seeded(170, 'hook-no-timestamp', 'EVT-011'),
  seeded(171, 'hook-ms-timestamp', 'EVT-011'),
  seeded(172, 'hook-iso-timestamp', 'EVT-011'),
  seeded(173, 'hook-attempt-timestamp', 'DLV-015'),
  seeded(174, 'hook-unsigned-retry', 'DLV-016'),
  seeded(175, 'hook-constant-signature', 'EVT-014'),
  seeded(176, 'hook-spaced-signature', 'EVT-034'),
  seeded(177, 'hook-new-id-on-retry', 'DLV-014'),
  seeded(178, 'hook-same-id', 'EVT-018'),
  seeded(179, 'hook-only-200', 'DLV-002'),
  seeded(180, 'hook-redirect-is-fine', 'DLV-005'),
  seeded(181, 'hook-client-error-is-final', 'DLV-004'),
  seeded(undefined, 'hook-server-error-is-final', 'DLV-003'),
  seeded(undefined, 'hook-timeout-is-final', 'DLV-006'),
  seeded(182, 'hook-timeout-5', 'DLV-006'),
  seeded(183, 'hook-timeout-30', 'DLV-006'),
  seeded(184, 'hook-retry-1-early', 'DLV-007'),
  seeded(185, 'hook-retry-2-early', 'DLV-008'),
  seeded(186, 'hook-retry-3-late', 'DLV-009'),
  seeded(186, 'hook-retry-4-early', 'DLV-010'),
  seeded(186, 'hook-retry-5-early', 'DLV-011'),
  seeded(187, 'hook-four-retries', 'DLV-011 DLV-012'),
  seeded(187, 'hook-six-retries', 'DLV-012'),
  seeded(188, 'hook-repeats-after-retry', 'DLV-013'),
  seeded(undefined, 'hook-repeats-success', 'DLV-001'),
  seeded(189, 'hook-cross-workspace', 'EVT-028'),
  seeded(190, 'hook-late-created-at', 'EVT-021'),
  seeded(undefined, 'hook-no-signature', 'EVT-013'),
  seeded(undefined, 'patch-unchecked', 'TASK-050 EP-077 EP-078 EP-079 EP-081 EP-083 EP-085 EP-086', []),
  seeded(undefined, 'cursor-drops-filters', 'LIST-008', []),
  seeded(undefined, 'has-more-on-exact', 'META-013 META-015', []),
  seeded(undefined, 'tasks-outlive-project', 'EP-030', []),
  seeded(undefined, 'no-isolation', 'ISO-001', []),
];
