// Answers of the foreign server, and the refusals among them.
export type Reply = { status: number; body?: object; extra?: Record<string, string> };
export type Body = Record<string, unknown>;

export class Refusal extends Error {
  readonly reply: Reply;
  constructor(status: number, code: string, message: string, fields?: { field: string; issue: string }[]) {
    super(message);
    this.reply = { status, body: { error: { code, message, status, ...(fields ? { details: { fields } } : {}) } } };
  }
}

export const lost = () => new Refusal(404, 'resource_not_found', 'There is no such thing here.');
export const bad = (field: string, issue: string) =>
  new Refusal(400, 'validation_error', 'The request is not valid.', [{ field, issue }]);
