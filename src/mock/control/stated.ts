// What the table of the control API states of a call; the rest follows from that.
import type { Schema } from '../../service/contract/schema.ts';

export interface Stated {
  /** Method and path below `/_mock`; `{...}` marks a path variable, `ANY` takes every method. */
  readonly call: `${'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ANY'} /${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, Schema<unknown>>>;
  readonly body?: Schema<unknown>;
  /** Where it is not 200, or 204 for DELETE. */
  readonly status?: 201;
  readonly response?: Schema<unknown>;
  /** Content type of a response that is not JSON, or need not be. */
  readonly type?: string;
  /** Besides 400, 401 and 403, which belong to all; 404, which belongs to every `{id}`; and 422, which belongs to every body and every list. */
  readonly errors?: readonly (404 | 409)[];
  /** Takes any content type, from any page, and asks for no token: those who send events have none. */
  readonly open?: boolean;
  /** It says something about a world and does nothing in it: neither its recording nor its timeline has it. */
  readonly aside?: boolean;
  /** Asks for no token: what watches a process has none. */
  readonly tokenless?: boolean;
}
