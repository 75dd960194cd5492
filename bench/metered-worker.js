// The worker as it is, and how much its worlds write: GET /written says it.
import worker, { WorldObject as World } from 'hosted/index.js';

export { DirectoryObject, OriginObject } from 'hosted/index.js';

const written = { rows: 0, bytes: 0 };
let isMetered = false;

export class WorldObject extends World {
  constructor(ctx, env) {
    super(ctx, env);
    if (isMetered) return;
    isMetered = true;
    const kv = Object.getPrototypeOf(ctx.storage.kv);
    const { put } = kv;
    kv.put = function (key, value) {
      written.rows += 1;
      written.bytes += key.length + new TextEncoder().encode(String(value)).length;
      return put.call(this, key, value);
    };
  }
}

export default {
  fetch: (request, env) => (request.url.endsWith('/written') ? Response.json(written) : worker.fetch(request, env)),
};
