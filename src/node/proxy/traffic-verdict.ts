// The verdict on traffic as it goes by: judge, records and the last exchanges; at the end its report.
import { errorMessage } from '../../service/contract/errors.ts';
import type {
  EndedTraffic,
  JudgedExchange,
  JudgeModule,
  ProxyFacts,
  ProxyReport,
  Traffic,
  TrafficJudge,
  TrafficJudgeOptions,
  Unknown,
} from './traffic.ts';
import { showLive, showTrafficPage } from './traffic-page.ts';
import { TrafficRecords } from './traffic-records.ts';

export interface VerdictOptions extends Pick<TrafficJudgeOptions, 'keys' | 'release'> {
  readonly target: string;
}

const MAX_SHOWN = 50;
const MAX_GAPS = 1000;

export class TrafficVerdict {
  readonly #target: string;
  readonly #judge: TrafficJudge;
  readonly #records = new TrafficRecords();
  readonly #gaps: Unknown[] = [];
  #last: readonly JudgedExchange[] = [];
  #observed = 0;
  #responses = 0;

  constructor({ createTrafficJudge }: JudgeModule, { target, ...options }: VerdictOptions) {
    this.#target = target;
    const onJudged = (x: JudgedExchange) => {
      this.#records.observe(x);
      this.#last = [x, ...this.#last].slice(0, MAX_SHOWN);
    };
    this.#judge = createTrafficJudge({ ...options, onJudged });
  }

  observe(traffic: Traffic, gap?: string): void {
    this.#observed += 1;
    if (traffic.response) this.#responses += 1;
    if (gap) this.#leaveOpen(`not judged: ${gap}`);
    try {
      this.#judge.observe(traffic);
    } catch (error) {
      this.#leaveOpen(`not judged, by a bug of wm-mock: ${errorMessage(error)}`);
    }
  }

  #leaveOpen(says: string): void {
    if (this.#gaps.length < MAX_GAPS) this.#gaps.push({ exchange: this.#observed, says });
  }

  report({ error, seconds, added_ms }: ProxyFacts): ProxyReport {
    const clean = (text: string) => this.#records.clean(text);
    const { violations } = this.#judge;
    const isError = this.#responses === 0;
    const none = isError ? [{ exchange: 0, says: error }] : [];
    return {
      version: 1,
      target: this.#target,
      exchanges: this.#observed,
      verdict: isError ? 'error' : violations.length > 0 ? 'violations' : 'agrees',
      violations: violations.map(({ expected, got, says, request, ...rest }) => {
        return { ...rest, expected: clean(expected), got: clean(got), says: clean(says), request: clean(request) };
      }),
      choices: this.#records.choices,
      unknown: [...none, ...this.#judge.unknown, ...this.#gaps].map(({ exchange, says }) => ({ exchange, says: clean(says) })),
      added_ms,
      seconds,
    };
  }

  show(part: 'page' | 'live' | 'final', facts: ProxyFacts): string {
    const shown = { report: this.report(facts), deliveries: facts.deliveries, last: this.#last };
    const clean = (text: string) => this.#records.clean(text);
    return part === 'live' ? showLive(shown, clean) : showTrafficPage(shown, clean, part === 'page');
  }

  async end(facts: ProxyFacts): Promise<EndedTraffic> {
    this.#judge.flush();
    const report = this.report(facts);
    const files = {
      'proxy.json': `${JSON.stringify(report, null, 2)}\n`,
      'report.html': this.show('final', facts),
      ...(await this.#records.files()),
    };
    return { report, files };
  }
}
