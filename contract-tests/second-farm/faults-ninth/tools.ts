// Tools of the ninth set: what several of its faults look at.
import type { Answer, Call, Fields } from '../model.ts';

/** An answer whose `data` is changed. */
export const changed = (answer: Answer, change: (data: Fields) => Fields): Answer => {
  const { data } = (answer.body ?? {}) as { data?: Fields };
  return data ? { ...answer, body: { data: change(data) } } : answer;
};

export const isChange = (call: Call): boolean => call.method === 'PATCH';

/** The body as a client sent it; no members when it is no object. */
export const sent = (call: Call): Fields => {
  try {
    const body: unknown = JSON.parse(call.text);
    return typeof body === 'object' && body !== null ? (body as Fields) : {};
  } catch {
    return {};
  }
};

export const bytes = (text: string): number => Buffer.byteLength(text);
