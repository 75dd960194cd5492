// The dashboard: pages for people, written on the server. From a request to a page, or to an action and back to its page.
//
// To add a page:
//  1. Write `pages/<id>.tsx` with one export, a `DashboardPage` (page.ts), and put it into the table in pages.ts. Routes, navigation,
//     the tests of every page, screenshots (`npm run screenshots`) and the bench take it from there.
//  2. `says`, `side` and `parts` draw with parts.tsx, fields.tsx and the classes of style.css: no style attributes and no inline scripts (the
//     Content-Security-Policy forbids both), no clock but `context.world.clock`, no `raw` or `dangerouslySetInnerHTML`.
//  3. Reads: `context.read('listTasks', query)` lists as /v1 does, `context.call('listFaults')` calls the control API,
//     `context.instance` is the state itself. A page costs what it shows, not what the world holds.
//  4. Actions make one `context.call(…)` or `context.perform(…)` (`makeCallAction`) and return `Done`: the response is 303. A thrown
//     Problem shows the page again, with its issues at the fields of `context.form('<action>')`. Forms work without scripts.
//  5. Live: `live` names events. After one the script fetches the page again and updates each element with `data-live` and an id in
//     place (`<Card live="id">`): keep forms outside. `data-clock` is a running time, `data-until` (ms since 1970) a countdown.
//  6. `examples` must hold with fixtures/demo.yaml after src/test/traffic.mjs. Tests: a line for each form in golden/forms.txt, rules
//     beside the page, the main action in *.browser.test.ts; then `npx vitest run src/dashboard/offers.test.ts -u`.
import { errorResponse } from '../mock/control/call.ts';
import { cookieOf, type Guard, tokenCookie } from '../mock/control/guard.ts';
import type { Host } from '../mock/control/host.ts';
import type { Instance } from '../mock/control/instance.ts';
import { errorMessage, Problem } from '../service/contract/errors.ts';
import { getOrMake } from '../service/contract/keyed.ts';
import { pathFits, rawPath, WORLD_PREFIX } from '../service/http/paths.ts';
import { decodeText } from '../service/lists/query.ts';
import { Context, PANEL, type PageRequest, THEMES, type Theme } from './context.ts';
import { FIND_PATH, findThings } from './find.ts';
import { Notes } from './form.ts';
import { Layout, renderDocument } from './layout.tsx';
import type { DashboardPage } from './page.ts';
import { callActionsOf, PageHead } from './page-head.tsx';
import { PAGES } from './pages.ts';
import { renderError, renderSignIn } from './refusals.tsx';
import { compress, findAsset, missingProblem, readBackPath, readForm, redirect, respondHtml } from './respond.ts';

export class Dashboard {
  readonly #host: Host;
  readonly #guard: Guard;
  /** Numbered by world: what is done in another does not change an address. */
  readonly #notes = new WeakMap<Instance, Notes>();

  constructor(host: Host, guard: Guard) {
    this.#host = host;
    this.#guard = guard;
  }

  async fetch(request: Request): Promise<Response> {
    const host = this.#host;
    const url = new URL(request.url);
    const whole = rawPath(request.url);
    const path = whole.replace(WORLD_PREFIX, '');
    const theme = readTheme(cookieOf(request, 'wm_mock_theme'));
    // Set once it is known that the page may be seen.
    let context: Context | undefined;
    try {
      const found = findAsset(path);
      this.#guard.admit(request, { open: found !== undefined || path === '/dashboard/login', framed: path === PANEL });
      if (found) return found;
      if (/^\/dashboard\/?$/.test(path)) return redirect(`${whole.slice(0, whole.length - path.length)}/`);
      if (path === '/dashboard/login') return await this.#login(request, theme);
      // The link of --open brings the token, which goes into the cookie and out of the address.
      const token = url.searchParams.get('token');
      if (request.method === 'GET' && token !== null && path !== PANEL) {
        url.searchParams.delete('token');
        return redirect(`${url.pathname}${url.search}`, [this.#cookie(request, token)]);
      }
      const instance = request.method === 'POST' ? host.find(whole, undefined) : host.seen(whole);
      const seen = { request, theme, path, host, guard: this.#guard, instance: instance ?? host.main, variable: '' };
      context = new Context({ ...seen, path: '/' });
      if (!instance) {
        const id = JSON.stringify(whole.split('/')[2] ?? '');
        throw missingProblem(`No world has the id ${id}. It may have been deleted, or left alone for too long.`);
      }
      if (request.method === 'POST') return await this.#post(seen);
      if (path === FIND_PATH) return Response.json(findThings(context), { headers: { 'cache-control': 'no-store' } });
      if (request.method === 'GET' || request.method === 'HEAD') return await this.#show(seen);
      throw new Problem(405, 'method_not_allowed', 'The dashboard takes GET and POST.', { headers: { allow: 'GET, POST' } });
    } catch (error) {
      if (!(request.headers.get('accept') ?? '').includes('text/html')) return errorResponse(error);
      if (error instanceof Problem && error.status === 401) return renderSignIn(request, theme);
      const failure = { status: 500, message: `The dashboard failed: ${errorMessage(error)}.` };
      return renderError(error instanceof Problem ? error : failure, theme, context);
    }
  }

  #notesOf(instance: Instance): Notes {
    return getOrMake(this.#notes, instance, () => new Notes());
  }

  async #show(asked: PageRequest): Promise<Response> {
    const { page, variable } = findPage(asked.path);
    const note = this.#notesOf(asked.instance).take(new URL(asked.request.url).searchParams.get('note'));
    const context = new Context({ ...asked, note, variable });
    const shown = await page.load?.(context);
    // The preview of a link shows no more than the head of its page.
    const drawn = asked.request.headers.get('wm-mock-part') === 'head' ? [] : page.parts;
    const parts = await Promise.all(drawn.map((draw) => draw(context, shown)));
    const text = await renderDocument(
      <Layout context={context} page={page} title={page.titled?.(context, shown)}>
        {page.framed ? null : <PageHead context={context} page={page} shown={shown} />}
        {parts}
      </Layout>,
    );
    const status = asked.failure?.problem.status ?? 200;
    const response = respondHtml(text, status, page.framed ? this.#guard.origins : undefined);
    // Where worlds are kept elsewhere, the server in front of them compresses.
    return this.#host.options.elsewhere ? response : compress(response, asked.request);
  }

  async #post(asked: PageRequest): Promise<Response> {
    const { request, instance, path } = asked;
    requireOwnPage(request);
    const form = await readForm(request, { host: this.#host.reading });
    if (path === '/dashboard/theme') {
      const cookie = `wm_mock_theme=${readTheme(form.get('theme'))}; Path=/; Max-Age=31536000; SameSite=Strict`;
      return redirect(readBackPath(form.get('back')), [cookie]);
    }
    if (path === '/dashboard/logout')
      return redirect(`${prefixOf(request)}/dashboard/login`, [this.#cookie(request, '', ' Max-Age=0;')]);
    const { page, variable } = findPage(path);
    const action = form.get('do') ?? '';
    const actions = { ...callActionsOf(page.id), ...page.actions };
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!run) throw missingProblem(`The page "${page.title}" has no action ${JSON.stringify(action)}. Load the page again.`);
    const context = new Context({ ...asked, action: `${page.title}: ${action}`, variable });
    try {
      const { deliveries } = instance.webhooks;
      const before = deliveries.size;
      const done = await run(context, form);
      const to = done.to ?? (form.has('back') ? readBackPath(form.get('back')) : context.here());
      // The world that it leads to shows it.
      const shows = this.#host.find(rawPath(new URL(to, request.url).href), undefined) ?? instance;
      const caused = deliveries.list().slice(before);
      return redirect(this.#notesOf(shows).leave({ deliveries: caused.map(({ id }) => id), ...done }, to));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return await this.#show({ ...asked, failure: { action, form, problem: error } });
    }
  }

  async #login(request: Request, theme: Theme): Promise<Response> {
    if (this.#guard.token === undefined) return redirect('/');
    if (request.method !== 'POST') return renderSignIn(request, theme, 200);
    requireOwnPage(request);
    const given = (await readForm(request, { host: this.#host.reading, isStranger: true })).get('token') ?? '';
    if (!this.#guard.accepts(given)) return renderSignIn(request, theme, 401, 'That is not the token.');
    const back = readBackPath(new URL(request.url).searchParams.get('back'));
    return redirect(back, [this.#cookie(request, given)]);
  }

  /** Worlds of many machines share an address, and each asks for a token of its own. */
  #cookie(request: Request, token: string, age = ''): string {
    const path = this.#host.options.elsewhere ? prefixOf(request) : '';
    return `${tokenCookie(request)}=${encodeURIComponent(token)}; Path=${path}/;${age} HttpOnly; SameSite=Strict`;
  }
}

const prefixOf = ({ url }: Request): string => WORLD_PREFIX.exec(rawPath(url))?.[0] ?? '';

/** The page of a path, with the value of its variable. @throws Problem 404 */
const findPage = (path: string): { readonly page: DashboardPage; readonly variable: string } => {
  const page = PAGES.find((one) => pathFits(one.path, path));
  if (!page) throw missingProblem('The dashboard has no such page.');
  const at = page.path.split('/').findIndex((part) => part.startsWith('{'));
  return { page, variable: at < 0 ? '' : decodeText(path.split('/')[at]!) };
};

const readTheme = (given: string | null | undefined): Theme => THEMES.find((theme) => theme === given) ?? 'auto';

/** Forms carry no JSON that a browser would ask about first: they must say that they come from a page of ours. @throws Problem 403 */
const requireOwnPage = ({ headers }: Request): void => {
  if (headers.get('origin') !== null || headers.get('sec-fetch-site') === 'same-origin') return;
  const says =
    'The dashboard refuses this form: it does not say which page it comes from. Send the header Origin, or use the control API at /_mock.';
  throw new Problem(403, 'forbidden', says);
};
