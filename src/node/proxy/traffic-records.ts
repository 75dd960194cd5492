// A stub until the branch of proxy2 is merged: a seed, choices and a HAR out of judged traffic.
import type { JudgedExchange } from './traffic.ts';

export class TrafficRecords {
  readonly choices: Readonly<Record<string, string>> = {};
  readonly #keys = new Set<string>();

  observe({ traffic }: JudgedExchange): void {
    for (const [name, value] of traffic.requestHeaders)
      if (/^authorization$/i.test(name)) this.#keys.add(value.replace(/^bearer /i, ''));
  }

  async files(): Promise<{ 'seed.yaml': string; 'choices.yaml': string; 'traffic.har': string }> {
    return { 'seed.yaml': 'workspaces: []\n', 'choices.yaml': '{}\n', 'traffic.har': '{}\n' };
  }

  clean(text: string): string {
    return [...this.#keys].reduce((cleaned, key) => cleaned.replaceAll(key, '[hidden]'), text);
  }
}
