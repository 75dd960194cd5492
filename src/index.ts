// The front door where there is no Node: browsers, service workers, edge runtimes.
export { createMock } from './create-mock.ts';
export type { Advanced, ForkOptions, Mock, MockClock, MockFault, MockFaults, MockKey, MockRecords } from './mock/api/mock.ts';
export type { MockOptions } from './mock/api/options.ts';
export type { Different, WorldDiff } from './mock/control/diff.ts';
export type { RecordDraft, RecordPatch, RecordQuery, StoredRecord as Kept } from './mock/control/record-types.ts';
export type { TimelineEntry } from './mock/control/timeline-entries.ts';
export type { ReplayDifference as Difference } from './mock/recording/compare.ts';
export type { Repro } from './mock/recording/steps.ts';
export { SeedError } from './mock/seed/read.ts';
export { type Replayed, replay } from './replay.ts';
export { CHOICES, type ChoiceId, type Choices } from './service/contract/choices.ts';
export { FORWARD_KINDS, type ForwardKind } from './service/contract/forward.ts';
export { OPERATIONS, type OperationId } from './service/contract/operations.ts';
export { RELEASES, type Release } from './service/contract/releases.ts';
export type {
  Comment,
  ErrorBody,
  EventName,
  Member,
  Meta,
  Page,
  Profile,
  Project,
  ProjectDraft,
  ProjectPatch,
  Task,
  TaskDraft,
  TaskPatch,
  Team,
  TeamDetail,
  TeamDraft,
  TeamMember,
  Webhook,
  WebhookDraft,
} from './service/contract/resources.ts';
export type { Priority, Scope, Status, Visibility } from './service/contract/states.ts';
export type { RequestEntry, RequestSummary } from './service/http/journal-entries.ts';
export type { Compatibility } from './service/webhooks/compatibility.ts';
export type { Attempt, Delivery, Outcome, Scripted } from './service/webhooks/delivery.ts';
export { fetchSender, type Sender, type Sending } from './service/webhooks/sender.ts';
export { type SignatureProfile, sign, verify } from './service/webhooks/sign.ts';
export type { FaultDraft, FaultOrder, FaultRequest } from './service/world/fault-draft.ts';
