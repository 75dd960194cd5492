// Messages between a page and the worker, besides requests.
import type { MockKey } from '../mock/api/mock.ts';

/** A page asks the worker to take care of it. */
export interface Hello {
  readonly wmMock: 'hello';
  /** Addresses of the files of the page, to be kept for when there is no network. */
  readonly files: readonly string[];
}

export interface Welcome {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly keys: readonly MockKey[];
}

/** The response to a hello: the addresses and keys, or why there is no mock. */
export type HelloResponse = Welcome | { readonly error: string };

/** The worker has a webhook for a URL that some page may receive. */
export interface WebhookCall {
  readonly wmMock: 'webhook';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Responses of a page: whether it takes the webhook, then the status of its handler. */
export type PageMessage = { readonly taken: boolean } | { readonly status: number; readonly excerpt: string };

/** The name of the parameter by which a worker's address sets an option: that of the option, with dashes. */
export const parameterOf = (option: string): string => option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const CHOICE = 'choice.';
