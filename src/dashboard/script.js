// The script of the pages: live regions, copy buttons, shortcuts. Everything works without it.
import { Idiomorph } from 'idiomorph';
import { exactTime, left } from './times.ts';

const root = document.documentElement;
root.classList.add('js');
const { body } = document;
const on = document.addEventListener.bind(document);
const byId = (id) => document.getElementById(id);
const find = (selector) => document.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
// The part of a page that may have changed: `bars` is all but its sides, `main` is the page alone.
const load = async (href, part, init) => {
  const response = await fetch(href, { ...init, headers: { accept: 'text/html', 'wm-mock-part': part } });
  return response.ok && (init || !response.redirected) ? response.text() : Promise.reject();
};
const rowsIn = (from) => all('tr[data-row]', from);
const parse = (text) => {
  const page = new DOMParser().parseFromString(text, 'text/html');
  prepare(page);
  return page;
};
const make = (name, given) => Object.assign(document.createElement(name), given);
const state = find('[data-live-state]');
const setParam = (name, value, isStep) => {
  const url = new URL(location.href);
  url.searchParams[value ? 'set' : 'delete'](name, value);
  history[isStep ? 'pushState' : 'replaceState'](null, '', url);
};
setParam('note');

// Times are written in UTC; where local time is chosen, here and in what is fetched, in that of the browser.
const ZONE = 'wm-mock zone';
const inZone = (at) => exactTime(localStorage[ZONE] === 'local' ? at - new Date(at).getTimezoneOffset() * 60_000 : at);
const prepare = (page) => {
  // Elements with an id stay themselves wherever they go: rows are given theirs.
  for (const row of rowsIn(page)) row.id = `row-${row.dataset.row}`;
  const zone = localStorage[ZONE] || 'UTC';
  for (const one of all('time[datetime]', page)) {
    const { textContent: old, title } = one;
    const text = inZone(Date.parse(one.dateTime));
    if (/:/.test(old)) one.textContent = text.substr(old.length < 19 ? 11 : 0, old.length);
    if (title) one.title = `${text} ${zone}`;
  }
  for (const one of all('[data-zone]', page)) one.textContent = zone;
  for (const one of all('#zones button', page)) one.ariaPressed = one.value === zone;
};
byId('zones')?.addEventListener('click', ({ target: { value } }) => {
  if (value) localStorage[ZONE] = value;
  prepare();
  tick();
});
prepare();

// Where the navigation or tabs are a row, the page that is open is in sight.
for (const here of all('nav [aria-current]')) {
  const nav = here.closest('nav');
  nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
}

// Copy buttons.
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make('textarea', { value: text });
    body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
};
on('click', async ({ target }) => {
  const button = target.closest?.('[data-copy]');
  const row = target.closest?.('tr[data-row]');
  if (row && !target.closest('a, button, input, summary, form, select') && getSelection().isCollapsed)
    row.querySelector('a.link')?.click();
  if (!button) {
    for (const menu of all('details.menu[open]')) if (!menu.contains(target)) menu.open = false;
    return;
  }
  const { copy: text, from, at } = button.dataset;
  await copy(text || (at ? parse(await load(at, 'main')) : document).getElementById(from).textContent);
  button.classList.add('done');
  say('Copied');
  await wait(1400);
  button.classList.remove('done');
});
const voice = make('p', { className: 'hidden', role: 'status' });
body.append(voice);
const say = (text) => {
  voice.textContent = '';
  voice.textContent = text;
};

// Selects that choose a page do so at once.
on('change', ({ target }) => {
  if (target.matches?.('[data-submit]')) target.form.requestSubmit();
  const { set } = target.dataset;
  if (!set) return;
  const form = byId('set');
  const [, id, value] = form.elements;
  id.value = target.closest('tr').dataset.row;
  value.name = set;
  value.value = target.value;
  form.requestSubmit();
});
// A word that is changed in its place has the options of its filter once it is reached.
for (const kind of ['pointerdown', 'focusin', 'keydown'])
  on(kind, ({ target }) => {
    const { set } = target.dataset;
    if (!set || target.length > 1) return;
    const options = all(`[name="filter[${set}]"] [value]`).slice(1);
    target.replaceChildren(
      ...options.map(({ value }) => new Option(value.replaceAll('_', ' '), value, false, value === target.value)),
    );
  });

// Where a form leads back to its own page, the place on it stays.
addEventListener('submit', () => {
  sessionStorage.place = `${location.pathname} ${scrollY}`;
});
const [path, y] = (sessionStorage.place ?? '').split(' ');
delete sessionStorage.place;
if (path === location.pathname && !location.hash && !find('.once, .issue, .bad[role]')) scrollTo(0, y);

// Ctrl+K opens a list of everything, whose script is loaded when it is first needed.
const palette = byId('palette');
const openPalette = () => {
  palette.querySelector('input').value = '';
  palette.showModal();
  if (!find('[src*=palette]')) body.append(make('script', { src: '/dashboard/assets/palette.js' }));
};
byId('find')?.addEventListener('click', openPalette);

// In the frame of an app's page: Escape closes the panel there.
const { parent } = window;
if (parent !== window) on('keydown', ({ key }) => key === 'Escape' && parent.postMessage('wm-mock: close', '*'));

// Shortcuts: / searches, g and a letter goes to a page, j and k go through the rows, Escape closes what is open.
let lead = 0;
on('keydown', (event) => {
  const { key, target } = event;
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && key === 'k' && palette) {
    event.preventDefault();
    if (!palette.open) openPalette();
  }
  if (key === 'Escape') {
    if (!find('dialog[open], :popover-open')) closeBeside();
    for (const menu of all('details.menu[open], details.confirm[open]')) {
      if (menu.contains(document.activeElement)) menu.firstElementChild.focus();
      menu.open = false;
    }
  }
  if (isControl || event.altKey || target.isContentEditable || target.matches?.('input, textarea, select')) return;
  if (key === '?') byId('help')?.showModal();
  if (/^[jk]$/.test(key)) {
    const links = all('tr[data-row] a.link');
    const focused = links.findIndex((link) => link.closest('tr').contains(target));
    const at = focused < 0 && beside ? links.findIndex((link) => link.href === beside.href) : focused;
    const next = links[key === 'j' ? at + 1 : at - 1];
    next?.focus();
    if (next && beside) openBeside(next);
  }
  if (key === '/') {
    const field = find('[data-search]');
    if (field) {
      event.preventDefault();
      field.focus();
      field.select?.();
    }
  } else if (key === 'g') lead = event.timeStamp;
  else if (event.timeStamp - lead < 1200 && /^[a-z]$/.test(key)) {
    lead = 0;
    find(`[data-key="${key}"]`)?.click();
  }
});

// Clocks that run and times that come nearer.
let seen = Date.now();
const tick = () => {
  const running = find('[data-clock]');
  if (!running) return;
  const now = Number(running.dataset.clock) + Date.now() - seen;
  for (const clock of all('[data-clock]')) clock.textContent = inZone(now).slice(0, 19);
  for (const one of all('[data-until]')) {
    const ahead = Number(one.dataset.until) - now;
    one.textContent = left(ahead);
    if (ahead <= 0 && ahead > -2000) soon();
  }
};
setInterval(tick, 1000);

// Brings an element up to date in place: what has the focus, what was typed or chosen and what is open stays.
const touched = { value: ['value', 'defaultValue'], checked: ['checked', 'defaultChecked'] };
const callbacks = {
  beforeNodeMorphed: (old) => !old.matches?.('[data-keep], select:not(.chip), textarea'),
  beforeAttributeUpdated: (name, old, kind) => {
    if (name === 'open') return kind === 'update' || !old.matches('details');
    const [now, written] = touched[name] ?? [];
    return !(now && old.matches('input')) || old[now] === old[written];
  },
  afterNodeAdded: (made) => made.getAttribute?.('id') && made.classList.add('fresh'),
};
const still = matchMedia('(prefers-reduced-motion)');
const morph = (old, now) => {
  const before = rowsIn(old).map((row) => [row, row.offsetTop]);
  Idiomorph.morph(old, now, { callbacks });
  if (still.matches) return;
  // Rows slide down to where they are now: none jumps under the eye. All are measured before the first moves.
  const moved = before.map(([row, top]) => [row, top - row.offsetTop]);
  for (const [row, by] of moved) if (by < 0) row.animate({ translate: [`0 ${by}px`, '0'] }, 300);
};

// Where there is room, what a row of a log leads to opens beside the list, which stays. Asked for once more it opens as a page.
const DETAIL = /\/dashboard\/(requests|webhooks\/deliveries)\/[^/]+$/;
const room = matchMedia('(min-width: 1400px)');
let beside;
const log = byId('log');
const logged = '#log tr[data-row] a.link';
const fits = (link) => room.matches && DETAIL.test(link.pathname);
const point = () => {
  for (const link of all(logged)) link.ariaCurrent = link.href === beside?.href || null;
};
const closeBeside = () => {
  if (!beside) return;
  setParam('beside');
  if (beside.aside.contains(document.activeElement)) find(`${logged}[aria-current]`)?.focus();
  beside.aside.remove();
  beside = undefined;
  point();
};
const fillBeside = async () => {
  const { href, aside } = beside;
  const text = await load(href, 'main');
  if (beside?.href !== href) return 0;
  const main = parse(text).getElementById('main');
  main.querySelector('#note')?.remove();
  // A form without an address would be sent to the list.
  for (const form of all('form:not([action])', main)) form.setAttribute('action', href);
  const inside = make('div');
  inside.append(...main.childNodes);
  if (beside.shown === href) morph(aside.lastChild, inside);
  else aside.lastChild.replaceWith(inside);
  beside.shown = href;
  tick();
  return text.length;
};
// The address names what is open beside the list: it can be shared, and Back closes it.
const openBeside = async (link, isStep = true) => {
  if (!fits(link)) return;
  if (isStep) setParam('beside', link.pathname.split('/').pop(), !beside);
  if (!beside) {
    const aside = make('aside', { className: 'beside', ariaLabel: 'Beside the list' });
    const kind = 'class="button small quiet"';
    aside.innerHTML = `<p class="actions"><a ${kind}>Open as a page</a><button type="button" ${kind}>Close</button></p><div></div>`;
    aside.querySelector('button').onclick = closeBeside;
    body.append(aside);
    beside = { aside };
  }
  beside.href = link.href;
  beside.aside.querySelector('a').href = link.href;
  beside.aside.scrollTop = 0;
  point();
  try {
    await fillBeside();
    say(`${link.textContent.trim()} is beside the list`);
  } catch {
    if (beside?.href === link.href) location.assign(link.href);
  }
};
on('click', (event) => {
  const link = event.target.closest?.(logged);
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!fits(link) || beside?.href === link.href) return;
  event.preventDefault();
  openBeside(link);
  beside.aside.querySelector('a').focus();
});
const followAddress = () => {
  const id = new URLSearchParams(location.search).get('beside');
  if (id && log) openBeside(make('a', { href: `${location.pathname}/${encodeURIComponent(id)}`, textContent: id }), false);
  else closeBeside();
};
addEventListener('popstate', followAddress);
followAddress();
room.onchange = () => room.matches || closeBeside();

// Live regions.
const { events, kinds = '' } = body.dataset;
let source;
let stale = false;
let busy = false;
let applied = 0;
let paused = false;
// Rows stand still while somebody points at them or works in them; what came meanwhile is counted, and waits.
let waiting;
// Nor do they move away from a pointer that is on its way to one.
let aimed = 0;
// Nor do new ones push it away from a reader who has scrolled down in a log.
const isAbove = () => log?.getBoundingClientRect().top < 0;
const isHeld = (region, fresh) =>
  paused
    ? region.closest('main')
    : (fresh && region === log && isAbove()) ||
      rowsIn(region).some((row) => Date.now() - aimed < 1000 || row.matches(':hover, :focus-within'));
const more = make('button', { className: 'more button primary', hidden: true });
body.append(more);
const bring = () => waiting && update(waiting, true);
more.onclick = () => {
  bring();
  if (isAbove()) log.scrollIntoView();
};
const update = (page, force) => {
  let fresh = 0;
  waiting = undefined;
  // The page beside the list is fetched by itself.
  for (const region of all('[data-live]:not(.beside *)')) {
    const now = region.id && page.getElementById(region.id);
    if (!now) continue;
    const { length } = rowsIn(now).filter((row) => !byId(row.id));
    if (force || !isHeld(region, length)) morph(region, now);
    else {
      waiting = page;
      fresh += length;
    }
  }
  point();
  more.hidden = !fresh;
  more.textContent = `${fresh} new`;
  tick();
};
const apply = (text, force) => {
  applied++;
  seen = Date.now();
  const page = parse(text);
  update(page, force);
  return page;
};
setInterval(() => waiting && !paused && update(waiting), 200);
on('pointermove', ({ target }) => {
  if (target.closest?.('main')) aimed = Date.now();
});
const refresh = async () => {
  const before = applied;
  try {
    const text = await load(location.href, 'bars');
    // A form's answer that came meanwhile is newer than this one.
    if (applied !== before) stale = true;
    else apply(text);
    fetched = text.length + (beside && !paused ? await fillBeside() : 0);
  } catch {
    /* The mock has stopped: the stream says so. */
  }
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
// At once after a rest, else once a second, and less often where much is fetched.
let fetched = 0;
const soon = async () => {
  stale = true;
  if (busy) return;
  busy = true;
  await wait(60);
  while (stale) {
    stale = false;
    await refresh();
    await wait(Math.max(1000, fetched / 50));
  }
  busy = false;
};

// Forms that lead back to where they stand do so in place: the page is not left, nothing scrolls.
on('submit', async (event) => {
  const { target: form, submitter } = event;
  const isQuick = form.matches('[data-quick]');
  if (!isQuick && state?.dataset.liveState !== 'reconnecting') return;
  event.preventDefault();
  const sent = new URLSearchParams(new FormData(form, submitter));
  const region = form.closest('[data-live]');
  try {
    // While the stream is cut, the mock is asked first whether it is there.
    if (!isQuick) throw new Error(await load(location.href, 'main'));
    const text = await load(form.action, 'bars', { method: 'POST', body: sent });
    const note = apply(text, true).getElementById('note');
    // What had the focus may be gone: the list that it stood in has it then.
    if (document.activeElement === body) region?.querySelector('[tabindex="-1"]')?.focus();
    const old = byId('note');
    if (note && old) old.replaceChildren(...note.childNodes);
  } catch (error) {
    // Nothing answered: another page would be the browser's own, and this one is still worth reading.
    if (error instanceof TypeError) {
      const said = make('p', { className: 'notice bad', textContent: 'The mock has stopped: nothing was sent.' });
      return byId('note')?.replaceChildren(said);
    }
    if (submitter) form.append(make('input', { type: 'hidden', name: submitter.name, value: submitter.value }));
    form.submit();
  }
});
const show = (text) => {
  if (state) {
    state.hidden = false;
    state.textContent = state.dataset.liveState = paused ? 'paused' : text;
  }
};
state?.addEventListener('click', () => {
  paused = !paused;
  show('live');
  if (!paused) bring();
});
const listen = () => {
  source = new EventSource(events);
  // The stream of a quiet world ends for a while: what happens meanwhile is told as a change of state.
  let resting = false;
  // What happened between the writing of the page and now, nobody has told.
  source.onopen = () => {
    if (resting) return;
    show('live');
    soon();
  };
  source.onerror = () => show(source.readyState === 2 ? 'ended' : resting ? 'resting' : 'reconnecting');
  source.addEventListener('rest', () => {
    resting = true;
  });
  for (const kind of kinds.split(' '))
    source.addEventListener(kind, () => {
      if (resting) show('live');
      resting = false;
      soon();
    });
};
if (events) {
  if (!document.hidden) listen();
  on('visibilitychange', () => {
    if (document.hidden) source?.close();
    else {
      listen();
      soon();
    }
  });
}
