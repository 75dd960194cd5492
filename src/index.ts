// The front door where there is no Node: browsers, service workers, edge runtimes.
export { CHOICES, type ChoiceId, type Choices } from './contract/choices.ts';
export { FORWARD_KINDS, type ForwardKind } from './contract/forward.ts';
export { OPERATIONS, type OperationId } from './contract/operations.ts';
export { RELEASES, type Release } from './contract/releases.ts';
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
} from './contract/resources.ts';
export type { Priority, Scope, Status, Visibility } from './contract/states.ts';
export type { Compatibility } from './control/calls/release.ts';
export type { Different, WorldDiff } from './control/diff.ts';
export type { Kept, RecordDraft, RecordPatch, RecordQuery } from './control/record-types.ts';
export type { TimelineEntry } from './control/timeline-entries.ts';
export type { RequestEntry, RequestSummary } from './http/show-exchange.ts';
export { createMock } from './mock/create.ts';
export type { Advanced, ForkOptions, Mock, MockClock, MockFault, MockFaults, MockKey } from './mock/mock.ts';
export type { MockOptions } from './mock/options.ts';
export type { MockRecords } from './mock/records.ts';
export { type Replayed, replay } from './mock/replay.ts';
export type { Difference } from './repro/difference.ts';
export type { Repro } from './repro/format.ts';
export { SeedError } from './seed/read.ts';
export type { Attempt, Delivery, Outcome, Scripted } from './webhooks/delivery.ts';
export { fetchSender, type Sender, type Sending } from './webhooks/sender.ts';
export { type SignatureProfile, sign, verify } from './webhooks/sign.ts';
export type { FaultDraft, FaultOrder, FaultRequest } from './world/fault-draft.ts';
