// The interface of the host to the web application; published declarations lead here, so it names no framework.
import type { ReadingBodies } from './body.ts';
import type { Service } from './exchange.ts';

/** Where the services of several worlds are found. */
export interface Services {
  /** The one that a request is meant for; undefined when its path names a world that is not there. */
  service(path: string, authorization: string | undefined): Service | undefined;
  /** The bodies that are being read for all of them. */
  readonly reading?: ReadingBodies;
  /** Delay of every answer, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number };
}
