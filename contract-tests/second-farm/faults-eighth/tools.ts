// Tools of the eighth set: what several of its faults look at.
import type { Answer, Call, Fields } from '../../judge/reference/model.ts';

/** An answer of one record with some fields replaced. */
export const withData = (answer: Answer, change: (data: Fields) => Fields): Answer => {
  const body = answer.body as { data?: Fields } | undefined;
  return body?.data ? { ...answer, body: { ...body, data: change(body.data) } } : answer;
};

/** Whether a request comes from the second workspace. */
export const isSecond = (call: Call, workspaces: readonly { readonly id: string }[]): boolean =>
  call.workspace !== undefined && call.workspace.id !== workspaces[0]?.id;

/** The names of the fields that a request sends; none when the body is no object. */
export const sentNames = (call: Call): readonly string[] => {
  try {
    return Object.keys(JSON.parse(call.text) as object);
  } catch {
    return [];
  }
};
