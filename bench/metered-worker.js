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
    const sql = Object.getPrototypeOf(ctx.storage.sql);
    const [{ put }, { exec }] = [kv, sql];
    const write = (key, value) => {
      written.rows += 1;
      written.bytes += key.length + new TextEncoder().encode(String(value)).length;
    };
    kv.put = function (key, value) {
      write(key, value);
      return put.call(this, key, value);
    };
    sql.exec = function (query, ...bound) {
      if (query.startsWith('INSERT')) write(bound[1], bound[2]);
      return exec.call(this, query, ...bound);
    };
  }
}

export default {
  fetch: (request, env) => (request.url.endsWith('/written') ? Response.json(written) : worker.fetch(request, env)),
};
