// The typed client, made from the API's own OpenAPI document, and what it says when a call fails.
import createClient from 'openapi-fetch';
import { createContext, use } from 'react';
import type { components, paths } from 'wm-mock/openapi';
import type { Connection } from './connection';
import { patientFetch } from './gate';

type Schemas = components['schemas'];
export type Task = Schemas['Task'];
export type TaskDraft = Schemas['TaskDraft'];
export type TaskPatch = Schemas['TaskPatch'];
export type Project = Schemas['Project'];
export type Member = Schemas['Member'];
export type Meta = Schemas['Meta'];

export const connect = ({ api, key }: Connection) =>
  createClient<paths>({ baseUrl: api, headers: { authorization: `Bearer ${key}` }, fetch: patientFetch });

export type Api = ReturnType<typeof connect>;
export const ApiContext = createContext<Api | undefined>(undefined);
export const useApi = (): Api => use(ApiContext)!;

/** A call that did not succeed; status 0 when no answer came, or none that can be read. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Answer<T> = { data?: T; error?: Schemas['ErrorResponse']; response: Response };

const failureOf = ({ status }: Response, error: Schemas['ErrorResponse'] | undefined): ApiError => {
  const { code = '', message = 'The answer has no readable body.', details } = error?.error ?? {};
  const fields = details?.fields?.map(({ field, issue }) => `${field} ${issue}`).join('; ');
  return new ApiError(status, code, fields || message);
};

/** The body of a successful answer. @throws ApiError for any other. */
export const taken = async <T>(call: Promise<Answer<T>>): Promise<T> => {
  const answer = await call.catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'No answer came that can be read. Is the service running?');
  });
  if (!answer.response.ok) throw failureOf(answer.response, answer.error);
  return answer.data as T;
};
