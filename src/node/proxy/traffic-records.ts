// The files that remain of traffic: a seed, the choices of the service, and a HAR; no text of the traffic is in them.

import { writeHar } from './har.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { headerOf, readExchange } from './read-exchange.ts';
import { isWordOfContract, rewriteTraffic, type WriteText } from './redact-traffic.ts';
import { SeedOfTraffic } from './seed-of-traffic.ts';
import type { JudgedExchange, Traffic } from './traffic.ts';
import { Twin } from './twin.ts';

/** Exchanges in the HAR, the first ones. */
const MAX_HAR_EXCHANGES = 5000;
/** The target's own address may be internal. */
const HAR_BASE = 'https://api.example.test/v1';

const bearerIn = ({ requestHeaders }: Traffic): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headerOf(requestHeaders, 'authorization') ?? '')?.[1];

export class TrafficRecords {
  readonly #pseudonyms = new Pseudonyms(isWordOfContract);
  readonly #seed = new SeedOfTraffic();
  readonly #twin = new Twin();
  readonly #traffic: Traffic[] = [];

  observe(exchange: JudgedExchange): void {
    const { traffic, as } = exchange;
    const key = bearerIn(traffic);
    if (key !== undefined) this.#pseudonyms.noteKey(key, as);
    rewriteTraffic(traffic, this.#note);
    if (this.#traffic.length < MAX_HAR_EXCHANGES) this.#traffic.push(traffic);
    const read = readExchange(exchange);
    this.#seed.observe(read);
    this.#twin.follow(read);
  }

  async files(): Promise<{ 'seed.yaml': string; 'choices.yaml': string; 'traffic.har': string }> {
    const write: WriteText = (kind, text) => this.#pseudonyms.of(kind, text);
    const choices = Object.entries(this.choices).map(([point, option]) => `${point}: "${option}"\n`);
    return {
      'seed.yaml': await this.#seed.text(write, this.choices['default-order'] === 'newest'),
      'choices.yaml': `# Choices of the service at the spec's open points, as its traffic shows them.\n${choices.join('') || '{}\n'}`,
      'traffic.har': writeHar(
        HAR_BASE,
        this.#traffic.map((one) => rewriteTraffic(one, write)),
      ),
    };
  }

  /** Options by open point, each seen and never contradicted. */
  get choices(): Readonly<Record<string, string>> {
    return this.#twin.choices;
  }

  /** A message without the texts and keys of the traffic. Call it at the end: the first call after a new exchange is slow. */
  clean(text: string): string {
    return this.#pseudonyms.clean(text);
  }

  readonly #note: WriteText = (kind, text, issued) => {
    this.#pseudonyms.note(kind, text);
    if (issued) this.#pseudonyms.noteIssued(text);
    return text;
  };
}
