// The entry point of Playwright tests: one server per worker, one world per test, attached to the report when a test fails.
import { test as base, expect as baseExpect } from '@playwright/test';
import { fixtures, type MockFixtures, type MockWorkerFixtures, waitingMatchers } from './test-runners/playwright-fixtures.ts';

export type { WarningOptions } from '../testing/judgements.ts';
export type { DeliveryPattern, RequestPattern } from '../testing/pattern.ts';
export type { Witness } from '../testing/show-lines.ts';
export type { AgreementOptions } from './agreement/agreement.ts';
export type { MockFixtures, MockWorkerFixtures, PlaywrightMock, PlaywrightOptions } from './test-runners/playwright-fixtures.ts';
export type { TestWorld } from './test-runners/test-worlds.ts';

/** Playwright's `test` with a world of its own for each test. */
export const test = base.extend<MockFixtures, MockWorkerFixtures>(fixtures);

/** Playwright's `expect`, with matchers that wait for requests and deliveries of a mock. */
export const expect = baseExpect.extend(waitingMatchers);
