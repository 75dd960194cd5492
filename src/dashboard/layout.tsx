// The frame of every page: head, navigation, world switcher, the bar of clock and limits, notices, dialogs.
import type { Child, PropsWithChildren } from 'hono/jsx';
import { BAR_LIVE, ClockBar } from './clock-bar.tsx';
import { type Context, THEMES } from './context.ts';
import { PageForm } from './fields.tsx';
import { FIND_PATH } from './find.ts';
import { Strip } from './override-strip.tsx';
import type { DashboardPage } from './page.ts';
import { drawNotedDeliveries } from './pages/webhook-parts.tsx';
import { PAGES } from './pages.ts';
import { Copy, Facts, Icon, Muted, RefusedNotice } from './parts.tsx';

const GROUPS = ['Service', 'Traffic', 'Behaviour'] as const;
const MAX_WORLDS_LISTED = 12;

export const DocumentHead = ({ title, theme, children }: PropsWithChildren<{ title: string; theme: string }>) => (
  <html lang="en" data-theme={theme === 'auto' ? undefined : theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · wm-mock</title>
      <link rel="icon" href="/dashboard/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/dashboard/assets/style.css" />
      <script src="/dashboard/assets/script.js" defer></script>
      <script src="/dashboard/assets/preview.js" defer></script>
    </head>
    {children}
  </html>
);

const WorldMenu = ({ context, page }: { context: Context; page: DashboardPage }) => {
  const { host, instance } = context;
  // Leads to the same page there, or to the list of a record, which another world need not have.
  const path = page.path.endsWith('/{id}') ? page.path.slice(0, -'/{id}'.length) : context.asked.path;
  const others = host.list();
  // Where worlds are kept elsewhere no caller has the main one of this host.
  const listed = [...(host.options.elsewhere ? [] : [host.main]), ...others.slice(0, MAX_WORLDS_LISTED)];
  return (
    <details class="menu worlds">
      <summary>
        <Icon name="world" />
        <span class="menu-name">
          <Muted>World</Muted> <span class="strong">{instance.about.title ?? instance.id}</span>
        </span>
        <Icon name="down" />
      </summary>
      <ul>
        {listed.map((one) => (
          <li>
            <a href={context.baseOf(one) + path} aria-current={one === instance ? 'true' : undefined}>
              {one.about.title ?? one.id}
            </a>
          </li>
        ))}
        <li class="rule">
          <a href={context.href('/dashboard/worlds')}>
            {others.length > MAX_WORLDS_LISTED ? `All ${others.length + 1} worlds` : 'Manage worlds'}
          </a>
        </li>
      </ul>
    </details>
  );
};

const Nav = ({ context, current }: { context: Context; current: DashboardPage }) => (
  <nav class="nav" aria-label="Pages">
    {GROUPS.map((group) => (
      <div class="nav-group">
        <p class="nav-title" aria-hidden="true">
          {group}
        </p>
        {PAGES.map(({ id, nav, path }) => {
          const isCurrent = (current.within ?? current.id) === id || (path !== '/' && current.path.startsWith(`${path}/`));
          return nav?.group !== group ? null : (
            <a href={context.href(nav.to ?? path)} data-key={nav.key} aria-current={isCurrent ? 'page' : undefined}>
              <Icon name={nav.icon} />
              {nav.label}
            </a>
          );
        })}
      </div>
    ))}
    <div class="nav-group">
      <a href="/docs" class="out">
        <Icon name="docs" />
        API reference
      </a>
    </div>
  </nav>
);

const drawSwitch = (name: string, legend: string, values: readonly string[], chosen: string) => (
  <fieldset id={name}>
    <legend class="hidden">{legend}</legend>
    {values.map((value) => (
      <button type="submit" name={name} value={value} aria-pressed={value === chosen ? 'true' : 'false'}>
        {value}
      </button>
    ))}
  </fieldset>
);

const RefusalNotice = ({ context }: { context: Context }) => {
  const { failure } = context.asked;
  if (!failure) return null;
  const { message, fields } = failure.problem;
  const wrong = fields.map(({ field, issue }) => `${field.replace(/^(match|effect)\./, '').replaceAll('_', ' ')} ${issue}`);
  return <RefusedNotice title="Nothing was changed." lines={wrong.length > 0 ? wrong : [message]} />;
};

const NoteRegion = ({ context }: { context: Context }) => {
  const { says, once, deliveries = [] } = context.asked.note ?? {};
  return (
    <div id="note" role="status">
      {says ? (
        <div class={`notice ${once ? 'once' : 'good'}`}>
          <p class="strong">{says}</p>
          {drawNotedDeliveries(context, deliveries)}
          {once && [
            <p class="muted">{once.label}</p>,
            <p class="once-value">
              <code>{once.value}</code>
              <Copy text={once.value} label="Copy the value" />
            </p>,
          ]}
        </div>
      ) : null}
    </div>
  );
};

const SHORTCUTS = [
  ['/', 'the search of the page'],
  ['j, k', 'the next row, the one before'],
  ['Enter', 'open the row'],
  ['Ctrl+K', 'anything, by its words or its id'],
  ['Esc', 'close what is open'],
  ...PAGES.flatMap(({ nav }) => (nav ? [[`g ${nav.key}`, nav.label] as const] : [])),
] as const;

const COMBOBOX = { role: 'combobox', 'aria-controls': 'ways', 'aria-expanded': 'false', 'aria-autocomplete': 'list' } as const;

const Dialogs = ({ context }: { context: Context }) => (
  <>
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <Facts of={SHORTCUTS.map(([key, says]) => [<kbd>{key}</kbd>, says])} />
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
    <dialog id="palette" aria-label="Find anything" data-find={`${context.href(FIND_PATH)}?q=`}>
      <input
        type="text"
        placeholder="A task, a page, req_12, an action…"
        autocomplete="off"
        aria-label="Find anything"
        {...COMBOBOX}
      />
      <div id="ways" role="listbox" aria-label="What is found" />
      <p id="ways-state" class="muted" role="status" />
    </dialog>
  </>
);

type LayoutProps = PropsWithChildren<{ context: Context; page: DashboardPage; title?: string | undefined }>;

export const Layout = ({ context, page, title = page.title, children }: LayoutProps) => {
  const { asked, base, instance } = context;
  const main = (
    <main id="main" tabindex={-1}>
      <NoteRegion context={context} />
      <RefusalNotice context={context} />
      {children}
    </main>
  );
  const bars = page.framed ? null : [<ClockBar context={context} />, <Strip context={context} />];
  // The script asks for these alone.
  const part = asked.request.headers.get('wm-mock-part');
  if (part !== null) return part === 'bars' ? [bars, main] : main;
  if (page.framed) {
    const events = context.href('/_mock/events', context.queries('token'));
    return (
      <DocumentHead title={title} theme={asked.theme}>
        <body class="framed" data-events={events} data-kinds={page.live.join(' ')}>
          {main}
        </body>
      </DocumentHead>
    );
  }
  return (
    <DocumentHead title={base === '' ? title : `${title} · ${instance.about.title ?? instance.id}`} theme={asked.theme}>
      <body data-events={context.href('/_mock/events')} data-kinds={[...new Set([...page.live, ...BAR_LIVE])].join(' ')}>
        <a href="#main" class="skip">
          Skip to the page
        </a>
        <header class="side">
          <a href={context.href('/')} class="brand" aria-label="wm-mock, overview">
            <span class="mark" aria-hidden="true" />
            <span class="brand-name">wm-mock</span>
          </a>
          <WorldMenu context={context} page={page} />
          <button type="button" class="find scripted" id="find">
            <Icon name="find" />
            <span>Find anything</span>
            <kbd>Ctrl K</kbd>
          </button>
          <Nav context={context} current={page} />
          <div class="side-foot">
            <div class="theme scripted">{drawSwitch('zones', 'Times', ['UTC', 'local'], 'UTC')}</div>
            <PageForm context={context} to="/dashboard/theme" kind="theme">
              {drawSwitch('theme', 'Theme', THEMES, asked.theme)}
            </PageForm>
            {asked.guard.token === undefined ? null : (
              <form method="post" action="/dashboard/logout">
                <button type="submit" class="button quiet">
                  Sign out
                </button>
              </form>
            )}
          </div>
        </header>
        <div class="page">
          {bars}
          {main}
        </div>
        <Dialogs context={context} />
      </body>
    </DocumentHead>
  );
};

export const renderDocument = async (page: Child): Promise<string> => `<!doctype html>\n${await page}`;
