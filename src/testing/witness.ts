// What matchers and reports look at: the part of a mock that remembers what happened.
import type { Mock } from '../mock/mock.ts';

/** A mock, or one of its worlds. */
export type Witness = Pick<Mock, 'id' | 'clock' | 'requests' | 'deliveries' | 'faults'> & Partial<Pick<Mock, 'compatibility'>>;
