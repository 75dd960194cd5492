// Faults of earlier releases: lists by page and offset, and the header that deprecates them.
import type { Release } from '../../engine/releases.ts';
import { type Mutant, mutant } from '../mutant.ts';
import { after, before, both, isList, ok, type Seen, type Wrap } from '../wrap.ts';

const at = (release: Release, one: Mutant): Mutant => ({ ...one, release });

const asks = (name: string) => (call: Seen) => isList(call) && call.query.has(name);
const query = (call: Seen, change: (query: URLSearchParams) => void): Pick<Seen, 'query'> => {
  const other = new URLSearchParams(call.query);
  change(other);
  return { query: other };
};
const placed = (name: string, place: (asked: number) => number): Wrap =>
  before(asks(name), (call) => query(call, (other) => other.set(name, String(place(Number(other.get(name)))))));
const ignored = (name: string): Wrap => before(asks(name), (call) => query(call, (other) => other.delete(name)));
const unsignalled = (name: string): Wrap =>
  after(
    both((call) => asks(name)(call), ok),
    (answer) => delete answer.headers.deprecation,
  );

export const releaseMutants: readonly Mutant[] = [
  at('1.0', mutant(undefined, 'old-offset-ignored', 'REL-002 META-009 META-005 EP-006', ignored('offset'))),
  at('1.0', mutant(undefined, 'old-page-ignored', 'REL-003', ignored('page'))),
  at(
    '1.0',
    mutant(
      undefined,
      'old-page-leaves-one-out',
      'REL-003',
      placed('page', (page) => 2 * page - 1),
    ),
  ),
  at(
    '1.0',
    mutant(
      undefined,
      'old-page-drops-a-record',
      'REL-004 REL-003',
      after(
        both((call) => asks('page')(call), ok),
        (answer) => answer.json.items.splice(-1),
      ),
    ),
  ),
  at(
    '1.1',
    mutant(
      undefined,
      'old-offset-one-too-far',
      'REL-002',
      placed('offset', (offset) => offset + 1),
    ),
  ),
  at('1.1', mutant(undefined, 'old-page-unsignalled', 'REL-009', unsignalled('page'))),
  at('1.1', mutant(undefined, 'old-offset-unsignalled', 'REL-009', unsignalled('offset'))),
  at(
    '1.2',
    mutant(
      undefined,
      'still-signalled',
      'REL-012',
      after(both(isList, ok), (answer) => (answer.headers.deprecation = '@1725148800')),
    ),
  ),
];
