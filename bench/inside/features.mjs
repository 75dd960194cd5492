// What each part that can be switched off costs a request in process. `node features.mjs <seed>`
import { KEY } from '../seeds.mjs';
import { loadRooms } from './rooms.mjs';
import { inTurn } from './timing.mjs';

const [seed, rounds = '9'] = process.argv.slice(2);
const { createMock, Journal, checkResponse } = await loadRooms();
const mock = await createMock({ seed });
const headers = { authorization: `Bearer ${KEY}` };
const list = async () => (await mock.fetch('/tasks', { headers })).text();

/** The journal without its work: nothing is noted, nothing is kept. */
const { add, note, begin } = Journal.prototype;
const withoutJournal = {
  before: () => Object.assign(Journal.prototype, { add() {}, note() {}, begin() {} }),
  after: () => Object.assign(Journal.prototype, { add, note, begin }),
};
const faults = (count) => ({
  before: () => {
    for (let i = 0; i < count; i++)
      mock.faults.add({ match: { operation: 'createTeam', path: `/teams/${i}` }, effect: { status: 500 } });
  },
  after: () => mock.faults.clear(),
});
let last = 0;
let stop = () => {};

const VARIANTS = {
  'as it is': { act: list },
  'without the journal': { act: list, ...withoutJournal },
  'one fault that does not fit': { act: list, ...faults(1) },
  'ten faults that do not fit': { act: list, ...faults(10) },
  'a listener for each exchange (--json, the dashboard)': {
    act: list,
    before: () => {
      stop = mock.onRequest(() => {
        last += 1;
      });
    },
    after: () => stop(),
  },
  'each answer checked against its schema': { act: async () => checkResponse('listTasks', 200, JSON.parse(await list())) },
  'the answer parsed, not checked': { act: async () => JSON.parse(await list()) },
};
const found = await inTurn(VARIANTS, { rounds: Number(rounds), count: 300 });

const kept = mock.requests.length;
const began = performance.now();
const withTrace = mock.requests.filter(({ why }) => why.length > 0).length;
const traceMicros = ((performance.now() - began) * 1000) / kept;
if (withTrace !== kept || last === 0) throw new Error('the journal was not there when it was to be measured');
console.log(JSON.stringify({ variants: found, traceMicros, kept }));
await mock.close();
