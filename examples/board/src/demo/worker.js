// The demo's service worker: the whole mock, and the page itself from its cache when the network is cut.
importScripts('/wm-mock-worker.js');

addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || /\/(v1|_mock)(\/|$)/.test(new URL(url).pathname)) return;
  const kept = () => caches.match(event.request, { ignoreSearch: true, ignoreVary: true });
  event.respondWith(fetch(event.request).catch(async () => (await kept()) ?? Response.error()));
});
