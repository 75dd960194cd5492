// The script of previews: the head of the page that a link to a request or a delivery leads to, while it is pointed at or focused.
const DETAIL = /\/dashboard\/(requests|webhooks\/deliveries)\/[^/]+$/;
const REST_MS = 400;
const preview = Object.assign(document.createElement('div'), { className: 'preview', popover: 'manual', role: 'tooltip' });
document.body.append(preview);

let ahead;
const look = async ({ target }) => {
  // It stays while the pointer is on it.
  if (preview.contains(target)) return;
  // A pointer that rests beside it does not end the focus of a keyboard.
  const link = target.closest?.('main a') ?? (ahead?.matches(':focus-visible') ? ahead : undefined);
  if (ahead === link) return;
  ahead = link;
  await new Promise((done) => setTimeout(done, REST_MS));
  if (ahead !== link) return;
  preview.hidePopover();
  if (!link || link.hash || !DETAIL.test(link.pathname)) return;
  const response = await fetch(link.href, { headers: { accept: 'text/html', 'wm-mock-part': 'head' } }).catch(() => undefined);
  if (!response?.ok) return;
  const head = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('head');
  if (ahead !== link || !link.isConnected) return;
  preview.replaceChildren(...head.querySelector('h1').childNodes, head.querySelector('.lead'));
  preview.showPopover({ source: link });
};
for (const kind of ['pointerover', 'focusin']) document.addEventListener(kind, look);
document.addEventListener('keydown', ({ key }) => key === 'Escape' && preview.hidePopover());
