// Six pages of an app as teams write it, one by its hash. With ?client=mended they bear responses in any order; without, none of them does.
import { Service } from './service.mjs';

const mended = new URLSearchParams(location.search).get('client') === 'mended';
const service = new Service(mended);
const main = document.querySelector('main');
const find = (selector) => main.querySelector(selector);

const make = (name, properties) => Object.assign(document.createElement(name), properties);
const row = ({ id, title }) => make('li', { id, textContent: title });
const show = (tasks) => find('.tasks').replaceChildren(...tasks.map(row));

const WORDS = {
  status: ['backlog', 'todo', 'in_progress', 'in_review', 'done'],
  priority: ['low', 'medium', 'high', 'urgent'],
};
const filterOf = (text) =>
  Object.entries(WORDS).flatMap(([field, words]) =>
    words.filter((word) => text.split(' ').includes(word)).map((word) => `filter[${field}]=${word}`),
  );

const pages = {
  /** Asks for `todo urgent` while it is typed. */
  search() {
    let filter = '';
    find('input').oninput = async ({ target }) => {
      const wanted = filterOf(target.value).join('&');
      if (wanted === filter) return;
      filter = wanted;
      const { items } = await service.ask('GET', `/tasks?${wanted}`);
      if (mended && wanted !== filter) return;
      show(items);
    };
  },

  /** Shows a title before it is saved, and takes it back when it is refused. */
  async rename() {
    const path = '/tasks/task_flour';
    const [heading, input] = [find('h1'), find('input')];
    let saved = (await service.ask('GET', path)).data.title;
    let version = 0;
    heading.textContent = saved;
    find('form').onsubmit = async (event) => {
      event.preventDefault();
      const mine = ++version;
      const before = heading.textContent;
      heading.textContent = input.value;
      try {
        saved = (await service.ask('PATCH', path, { title: input.value })).data.title;
      } catch {
        if (!mended) heading.textContent = before;
        else if (mine === version) heading.textContent = saved;
      }
    };
  },

  /** Takes the form away when the task is there. */
  add() {
    const [form, input, button] = [find('form'), find('input'), find('button')];
    form.onsubmit = async (event) => {
      event.preventDefault();
      button.disabled = mended;
      try {
        const { data } = await service.ask('POST', '/projects/proj_kitchen/tasks', { title: input.value });
        form.hidden = true;
        find('.tasks').append(row(data));
      } finally {
        button.disabled = false;
      }
    };
  },

  async list() {
    const gone = new Set();
    const remove = async (id) => {
      await service.ask('DELETE', `/tasks/${id}`);
      gone.add(id);
      find(`#${id}`)?.remove();
    };
    const refresh = async () => {
      const { items } = await service.ask('GET', '/projects/proj_kitchen/tasks');
      show(mended ? items.filter(({ id }) => !gone.has(id)) : items);
      for (const item of main.querySelectorAll('li')) {
        item.append(make('button', { textContent: `Delete ${item.textContent}`, onclick: () => remove(item.id) }));
      }
    };
    find('button').onclick = refresh;
    await refresh();
  },

  async scroll() {
    const path = '/projects/proj_pantry/tasks';
    const [list, select] = [find('.tasks'), find('select')];
    let filter = '';
    let cursor = null;
    const first = async () => {
      const wanted = select.value;
      filter = wanted;
      const { items, meta } = await service.ask('GET', `${path}?limit=10${wanted && `&filter[status]=${wanted}`}`);
      if (mended && wanted !== filter) return;
      cursor = meta.next_cursor;
      show(items);
    };
    const more = async () => {
      const isNearEnd = list.scrollTop + 2 * list.clientHeight > list.scrollHeight;
      if (!isNearEnd || cursor === null) return;
      const wanted = filter;
      const next = `${path}?cursor=${encodeURIComponent(cursor)}`;
      cursor = null;
      const { items, meta } = await service.ask('GET', next);
      if (mended && wanted !== filter) return;
      cursor = meta.next_cursor;
      list.append(...items.map(row));
    };
    list.onscroll = more;
    select.onchange = first;
    await first();
  },

  session() {
    for (const button of main.querySelectorAll('button')) {
      button.onclick = async () => {
        const { meta } = await service.ask('GET', button.value);
        button.nextElementSibling.textContent = meta.total;
      };
    }
  },
};

const page = location.hash.slice(1);
main.append(document.getElementById(page).content);
await service.open();
await pages[page]();
document.body.dataset.pending ??= 0;
