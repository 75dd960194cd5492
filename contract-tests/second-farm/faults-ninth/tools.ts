// Tools of the ninth set: what several of its faults look at.
import type { Answer, Call, Fields } from '../../judge/reference/model.ts';

/** An answer whose `data` is changed. */
export const changed = (answer: Answer, change: (data: Fields) => Fields): Answer => {
  const { data } = (answer.body ?? {}) as { data?: Fields };
  return data ? { ...answer, body: { data: change(data) } } : answer;
};

export const isChange = (call: Call): boolean => call.method === 'PATCH';
