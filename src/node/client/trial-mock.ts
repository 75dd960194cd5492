// A mock under trial, wherever a command makes it: it behaves as the plan says, and notes what it sees.

import type { Note } from '../../client/notes.ts';
import { createTrial } from '../../client/trial.ts';
import { disturbEvents } from '../../client/trial-events.ts';
import { type TrialPlan, tryRequests } from '../../client/trial-fetch.ts';
import type { Trial } from '../../create-mock.ts';
import type { Mock as PureMock } from '../../mock/api/mock.ts';
import type { Sender } from '../../service/webhooks/sender.ts';
import { isSentByTest, trialNow } from './trial-notes.ts';

/** @param make makes the mock with a trial, and with its sender disturbed */
export const createTrialMock = async <M extends PureMock>(
  plan: TrialPlan,
  note: (note: Note) => void,
  make: (trial: Trial, disturb: (sender: Sender) => Sender) => Promise<M>,
): Promise<M> => {
  const { trial, origins } = createTrial(plan, note, isSentByTest);
  const mock = await make(trial, (sender) => disturbEvents(sender, origins, note, trialNow));
  tryRequests(mock, plan, note, { now: trialNow, isSentByTest });
  return mock;
};
