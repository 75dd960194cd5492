// A bare durable object, the most that the engine can do: it answers a page that is there already, and a create once three rows are written.
import { DurableObject } from 'cloudflare:workers';

export class Bare extends DurableObject {
  #made = 0;

  async fetch(request) {
    const { PAGE, TASK } = this.env;
    const headers = { 'content-type': 'application/json' };
    if (request.method === 'GET') return new Response(PAGE, { headers });
    const text = await request.text();
    const { kv } = this.ctx.storage;
    const at = String(++this.#made).padStart(12, '0');
    this.ctx.storage.transactionSync(() => {
      kv.put(`row/${at}`, text);
      kv.put(`exchange/${at}`, text);
      kv.put('core', at);
    });
    return new Response(TASK, { status: 201, headers });
  }
}

export default { fetch: (request, { BARE }) => BARE.get(BARE.idFromName('bare')).fetch(request) };
