// A custom emulator of `emulate` as its guide writes one: routes over an array of its state. Usage: node emulate.mjs <data> <port>
import { readFileSync } from 'node:fs';
import { createEmulator, defineEmulator } from 'emulate';

const [file, port] = process.argv.slice(2);
const seed = JSON.parse(readFileSync(file, 'utf8'));

const emulator = defineEmulator({
  name: 'tasks',
  state: () => seed,
  setup({ app, state }) {
    app.get('/tasks', (c) => {
      const { status, sort, page = '1', limit = '20' } = Object.fromEntries(new URL(c.req.url).searchParams);
      let found = state.tasks;
      if (status) found = found.filter((task) => task.status === status);
      if (sort) found = [...found].sort((a, b) => ((a[sort] ?? '~') < (b[sort] ?? '~') ? -1 : 1));
      const from = (Number(page) - 1) * Number(limit);
      return c.json({ items: found.slice(from, from + Number(limit)), total: found.length });
    });
    app.get('/tasks/:id', (c) => c.json(state.tasks.find(({ id }) => id === c.req.param('id'))));
    app.post('/tasks', async (c) => {
      const task = { id: `task_made${state.tasks.length}`, ...(await c.req.json()) };
      state.tasks.push(task);
      return c.json(task, 201);
    });
  },
});

await createEmulator({ service: emulator, port: Number(port) });
