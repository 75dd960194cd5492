// Fixtures of the Playwright entry: the mock, its world and address, and matchers that wait.
import type {
  BrowserContext,
  Fixtures,
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestInfo,
} from '@playwright/test';
import { playwright as validate, agreement as validateAgreement } from '../../mock/api/more-options.generated.ts';
import type { Options, PLAYWRIGHT } from '../../mock/api/options.ts';
import { checkOptions } from '../../service/validation/check.ts';
import type { AssertionFailure } from '../../testing/failure-files.ts';
import { type Judgement, localMatchers, type WarningOptions } from '../../testing/judgements.ts';
import { describeWorld, type Witness } from '../../testing/show-lines.ts';
import { openWorld, overridden, tellOutcome, toWorldId } from '../../testing/worlds.ts';
import { type AgreementOptions, ScreenChecks } from '../agreement/agreement.ts';
import { setPageListener } from '../agreement/page-calls.ts';
import { routeApi, trimSlashes } from '../agreement/route-api.ts';
import { isLeftOut, isSentByTest, noteOutcome, sendAsTest } from '../client/trial-notes.ts';
import { TRIAL_VARIABLE } from '../create-mock.ts';
import { addAddresses, SharedMocks, type TestWorld, writeFailureFiles } from './test-worlds.ts';

export type PlaywrightOptions = Options<typeof PLAYWRIGHT>;

/** The world of a test. */
export interface PlaywrightMock extends TestWorld {
  /** Routes requests of a page or another context to an address, as `apiUrl` does for the test's own context. */
  route(target: BrowserContext | Page, apiUrl: string): Promise<void>;
}

export interface MockFixtures {
  /** How the mock is started: set it in the project's `use` or with `test.use`. */
  mockOptions: PlaywrightOptions;
  /** This test's own world. */
  mock: PlaywrightMock;
}

export interface MockWorkerFixtures {
  /** The mocks of this worker, by their options. */
  wmMocks: SharedMocks;
}

type PlaywrightFixtures = Fixtures<
  MockFixtures,
  MockWorkerFixtures,
  PlaywrightTestArgs & PlaywrightTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;

/** Playwright would replace the whole object. */
const mergeProjectOptions = (options: PlaywrightOptions, { project }: Pick<TestInfo, 'project'>): PlaywrightOptions => {
  checkOptions('mockOptions', validate, options);
  return { ...(project.use as Partial<MockFixtures>).mockOptions, ...options };
};

const formatTestTitle = ({ titlePath }: TestInfo): string => titlePath.slice(1).join(' › ').slice(0, 500) || 'a test';

/** @throws TypeError for an address that no page can ask */
const resolveApiUrl = (apiUrl: string, base?: string): string => {
  const resolved = URL.canParse(apiUrl, base) ? new URL(apiUrl, base).href : '';
  if (/^https?:/.test(resolved)) return resolved;
  throw new TypeError(
    `apiUrl: expected an address such as http://localhost:5173/api, got "${apiUrl}", which Playwright's baseURL does not complete. Write it whole, or set baseURL in \`use\`: see docs/playwright.md.`,
  );
};

/** The checks of the running test: a worker runs one at a time. */
let screens: ScreenChecks | undefined;
/** Requests that it sent itself, which say nothing of the client: `world request`. */
const sentByTest = new Set<string>();

/** The world as the test has it, and its forks: which requests it sends itself is known. */
const tellOwnRequests = (world: TestWorld): TestWorld => {
  world.onRequest(({ id }) => {
    // After a reset ids begin again.
    if (isSentByTest()) sentByTest.add(`${world.id} ${id}`);
    else sentByTest.delete(`${world.id} ${id}`);
  });
  return overridden(world, {
    fetch: (...given: Parameters<TestWorld['fetch']>) => sendAsTest(() => world.fetch(...given)),
    fork: (...given: Parameters<TestWorld['fork']>) => {
      const second = tellOwnRequests(world.fork(...given));
      screens?.addWorld(second, []);
      return second;
    },
  });
};

export const fixtures = {
  mockOptions: [{}, { option: true }],

  wmMocks: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const mocks = new SharedMocks();
      await use(mocks);
      await mocks.close();
    },
    { scope: 'worker' },
  ],

  mock: async ({ wmMocks, mockOptions }, use, testInfo) => {
    const { apiUrl: _, agree, ...options } = mergeProjectOptions(mockOptions, testInfo);
    const started = await wmMocks.get({ record: true, ...options });
    const id = toWorldId(testInfo.testId, testInfo.retry);
    if (isLeftOut(process.env[TRIAL_VARIABLE], toWorldId(testInfo.testId))) testInfo.skip(true, 'not part of this trial');
    const world = addAddresses(openWorld(started.mock, { id, title: formatTestTitle(testInfo) }), await started.server);
    const ends: (() => Promise<void>)[] = [];
    const routed: string[] = [];
    const route = async (target: BrowserContext | Page, apiUrl: string) => {
      const address = trimSlashes(resolveApiUrl(apiUrl));
      routed.push(address);
      ends.push(await routeApi(world, target, address));
    };
    // A trial changes the service under the page.
    screens = new ScreenChecks(world, routed, testInfo, agree === 'always' && process.env[TRIAL_VARIABLE] === undefined);
    await use(overridden(tellOwnRequests(world), { route }));
    const { failure, pictures, asked } = screens;
    screens = undefined;
    sentByTest.clear();
    const passed = testInfo.status === testInfo.expectedStatus && failure === undefined;
    await tellOutcome(world, passed);
    if (!passed) {
      const elsewhere = world.requests.length === 0 && asked.length > 0 ? `The pages asked elsewhere:\n${asked}\n\n` : '';
      await testInfo.attach('wm-mock', { body: elsewhere + describeWorld(world), contentType: 'text/plain' });
      for (const [name, body] of Object.entries(pictures)) await testInfo.attach(name, { body, contentType: 'image/png' });
      await attachRepro(world, testInfo, failure ?? testInfo.error);
    }
    noteOutcome(process.env[TRIAL_VARIABLE], () => ({ world: world.id, test: formatTestTitle(testInfo), passed }));
    await world.close();
    await Promise.allSettled(ends.map((end) => end()));
  },

  baseURL: async ({ baseURL, mock }, use) => {
    await use(baseURL ?? `${mock.baseUrl}/`);
  },

  context: async ({ context, mock, mockOptions, baseURL }, use, testInfo) => {
    const { apiUrl } = mergeProjectOptions(mockOptions, testInfo);
    // Without an app's own, the base is the world itself.
    const base = baseURL === `${mock.baseUrl}/` ? undefined : baseURL;
    if (apiUrl !== undefined) await mock.route(context, resolveApiUrl(apiUrl, base));
    const checks = screens!;
    await checks.trackContext(context);
    setPageListener(checks);
    await use(context);
    setPageListener(undefined);
    await checks.end(testInfo.status === testInfo.expectedStatus);
  },
} satisfies PlaywrightFixtures;

const attachRepro = async (world: TestWorld, testInfo: TestInfo, error: AssertionFailure | undefined): Promise<void> => {
  const title = formatTestTitle(testInfo);
  const [file, page] = ['wm-mock.wm.json', 'wm-mock.html'].map((name) => testInfo.outputPath(name)) as [string, string];
  if (!(await writeFailureFiles(world, title, file, page, error))) return;
  await testInfo.attach('wm-mock repro', { path: file, contentType: 'application/json' });
  await testInfo.attach('wm-mock page', { path: page, contentType: 'text/html' });
};

const POLL_MATCHER_MS = 100;

/** Retries at each request and delivery. */
const pollUntilPassed = async (mock: TestWorld, judge: () => Judgement, timeout: number): Promise<Judgement> => {
  if (judge().pass || typeof mock.onRequest !== 'function') return judge();
  const ends: (() => void)[] = [];
  await new Promise<void>((done) => {
    const again = () => void (judge().pass && done());
    const timer = setTimeout(done, timeout);
    // A request with a held response causes no event.
    const looking = setInterval(again, POLL_MATCHER_MS);
    ends.push(mock.onRequest(again), mock.webhooks.onDelivery(again));
    ends.push(() => void [clearTimeout(timer), clearInterval(looking)]);
  });
  for (const end of ends) end();
  return judge();
};

const retryUntilPassed = <A extends readonly unknown[]>(judge: (received: Witness, ...rest: A) => Judgement) =>
  function (this: { readonly isNot: boolean; readonly timeout: number }, received: Witness, ...rest: A): Promise<Judgement> {
    const now = () => judge(received, ...rest);
    return this.isNot ? Promise.resolve(now()) : pollUntilPassed(received as TestWorld, now, this.timeout);
  };

const withoutOwnRequests = (received: Witness): Witness => {
  const requests = received?.requests?.filter(({ id }) => !sentByTest.has(`${received.id} ${id}`));
  return requests ? overridden(received, { requests }) : received;
};

export interface MatcherContext {
  readonly timeout: number;
}

export const waitingMatchers = {
  /** The page shows what a reload would show: it is compared with a second page on a copy of the test's world. */
  async toAgreeWithService(this: MatcherContext, page: Page, options: AgreementOptions = {}): Promise<Judgement> {
    checkOptions('toAgreeWithService', validateAgreement, options);
    if (typeof (page as Partial<Page> | undefined)?.mainFrame !== 'function' || !screens)
      throw new TypeError(
        'toAgreeWithService: expected a page of a test that has a mock, as in expect(page).toAgreeWithService(). Import `test` from wm-mock/playwright: see docs/agreement.md.',
      );
    const says = await screens.findDisagreement(page, { timeout: this.timeout, ...options }, true);
    return { pass: says === undefined, message: () => says ?? 'The screen agrees with the service.' };
  },
  toHaveReceived: retryUntilPassed(localMatchers.toHaveReceived),
  toHaveDelivered: retryUntilPassed(localMatchers.toHaveDelivered),
  toHaveNoClientWarnings: (received: Witness, options?: WarningOptions) =>
    localMatchers.toHaveNoClientWarnings(withoutOwnRequests(received), options),
  toHaveSurvivedForwardCompat: localMatchers.toHaveSurvivedForwardCompat,
};
