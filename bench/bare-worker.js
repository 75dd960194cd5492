// A bare durable object, the most that the engine can do: a list is a text that is there already, a create three rows of the sizes that ours have.
import { DurableObject } from 'cloudflare:workers';

const [CORE, EXCHANGE] = [500, 2200].map((size) => 'x'.repeat(size));

export class Bare extends DurableObject {
  #made = 0;

  async fetch(request) {
    const { PAGE, TASK } = this.env;
    const headers = { 'content-type': 'application/json' };
    if (request.method === 'GET') return new Response(PAGE, { headers });
    if (request.method === 'DELETE') {
      await this.ctx.storage.deleteAll();
      return new Response(null, { status: 204 });
    }
    await request.text();
    const { kv } = this.ctx.storage;
    const at = String(++this.#made).padStart(12, '0');
    this.ctx.storage.transactionSync(() => {
      kv.put(`row/${at}`, TASK);
      kv.put(`exchange/${at}`, EXCHANGE);
      kv.put('core', CORE);
    });
    return new Response(TASK, { status: 201, headers });
  }
}

export default { fetch: (request, { BARE }) => BARE.get(BARE.idFromName('bare')).fetch(request) };
