// What a page and the worker say to each other besides requests.
import type { MockKey } from '../mock/api/mock.ts';

/** A page asks the worker to take care of it. */
export interface Hello {
  readonly wmMock: 'hello';
  /** Addresses of what the page is made of, to be kept for when there is no network. */
  readonly files: readonly string[];
}

export interface Welcome {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly keys: readonly MockKey[];
}

/** What the worker answers: what the page needs to know, or why there is no mock. */
export type HelloAnswer = Welcome | { readonly error: string };

/** The worker has a webhook for a URL that some page may receive. */
export interface WebhookCall {
  readonly wmMock: 'webhook';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a page answers: that it takes the webhook, then the status of its answer. */
export type WebhookAnswer = { readonly taken: boolean } | { readonly status: number; readonly excerpt: string };

/** The name of the parameter by which a worker's address tells an option: that of the option, with dashes. */
export const parameterOf = (option: string): string => option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const CHOICE = 'choice.';
