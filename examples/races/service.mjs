// The app's way to the service: a key of its session, renewed when the service refuses it, and a count of what is under way.

/** A key that is refused so soon after it was renewed says that the session is over, milliseconds. */
const SOON_MS = 10_000;

export class Service {
  #mended;
  #api;
  #key;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #renewing;
  #pending = 0;

  constructor(mended) {
    this.#mended = mended;
  }

  async open() {
    const response = await fetch('/session', { method: 'POST' });
    ({ api: this.#api, key: this.#key } = await response.json());
  }

  /** @throws Error when the service refuses it */
  async ask(method, path, body) {
    this.#count(1);
    try {
      const response = await this.#send(method, path, body);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
      return response.status === 204 ? undefined : await response.json();
    } finally {
      this.#count(-1);
    }
  }

  async #send(method, path, body) {
    await this.#renewing;
    const key = this.#key;
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(this.#api + path, { method, headers, body: body && JSON.stringify(body) });
    if (response.status !== 401) return response;
    await this.#renew(key);
    return this.#send(method, path, body);
  }

  async #renew(refused) {
    if (this.#mended) {
      await this.#renewing;
      if (refused !== this.#key) return;
    }
    if (Date.now() - this.#renewedAt < SOON_MS) {
      document.body.textContent = 'You are signed out.';
      throw new Error('The session is over');
    }
    this.#renewedAt = Date.now();
    this.#renewing = this.open();
    await this.#renewing;
  }

  #count(more) {
    this.#pending += more;
    document.body.dataset.pending = this.#pending;
  }
}
