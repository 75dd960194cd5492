// The script of Ctrl+K: pages, worlds, actions and what the world holds, in one list by their words or an id.
const palette = document.getElementById('palette');
const typed = palette.querySelector('input');
const list = document.getElementById('ways');
const state = document.getElementById('ways-state');
const WAYS = '.nav a, .worlds a, .strip button, .clock-bar form [name]:not(input), .page-head .button, .theme button';
const MAX_WAYS = 8;
const MIN_CHARACTERS = 2;
const REST_MS = 120;

const ways = [];
let chosen = 0;
const choose = (at) => {
  chosen = Math.max(0, Math.min(at, ways.length - 1));
  ways.forEach(({ item }, i) => {
    item.ariaSelected = i === chosen;
  });
  ways[chosen]?.item.scrollIntoView({ block: 'nearest' });
  typed.setAttribute('aria-activedescendant', ways[chosen]?.item.id ?? '');
  typed.ariaExpanded = ways.length > 0;
};
const open = ({ thing, to }) => {
  palette.close();
  if (thing) thing.click();
  else location.href = to;
};
const add = (found) => {
  for (const way of found) {
    const item = document.createElement('div');
    const kind = document.createElement('span');
    kind.textContent = way.kind;
    item.append(way.says, ' ', kind);
    Object.assign(item, { id: `way-${ways.length}`, role: 'option', onclick: () => open(way) });
    ways.push({ ...way, item });
  }
  list.replaceChildren(...ways.map(({ item }) => item));
  choose(chosen);
};

/** The links and buttons of the page itself. */
const listNear = (words) => {
  const begins = ({ says }) => says.toLowerCase().startsWith(words[0]);
  return [...document.querySelectorAll(WAYS)]
    .map((thing) => {
      const group = thing.closest('[aria-label], .worlds, fieldset');
      const kind = group?.ariaLabel ?? group?.querySelector('legend')?.textContent ?? 'World';
      return { thing, kind, says: (thing.title || thing.textContent).trim() };
    })
    .filter(({ says, kind }) => words.every((word) => `${says} ${kind}`.toLowerCase().includes(word)))
    .sort((one, other) => begins(other) - begins(one))
    .slice(0, MAX_WAYS);
};

let searches = 0;
const search = async () => {
  const text = typed.value.trim();
  searches += 1;
  const mine = searches;
  ways.length = 0;
  chosen = 0;
  add(listNear(text.toLowerCase().split(/\s+/)));
  state.textContent = '';
  if (text.length < MIN_CHARACTERS) return;
  await new Promise((done) => setTimeout(done, REST_MS));
  if (mine !== searches) return;
  const response = await fetch(palette.dataset.find + encodeURIComponent(text)).catch(() => undefined);
  const found = response?.ok ? await response.json() : [];
  if (mine !== searches) return;
  add(found);
  if (ways.length === 0) state.textContent = response ? 'Nothing has these words.' : 'The mock has stopped.';
};

let pending = search();
for (const kind of ['input', 'focus'])
  typed.addEventListener(kind, () => {
    pending = search();
  });
palette.addEventListener('keydown', async (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  if (step) return choose(chosen + step);
  if (ways.length === 0) await pending;
  if (ways[chosen]) open(ways[chosen]);
});
