// The frame of every page: head, navigation, world switcher, the bar of clock and limits, notices.
import { raw } from 'hono/html';
import type { Child, PropsWithChildren } from 'hono/jsx';
import { BAR_LIVE, ClockBar } from './clock-bar.tsx';
import { type Context, THEMES } from './context.ts';
import { Icon } from './icons.tsx';
import type { Page } from './page.ts';
import { Copy } from './parts.tsx';

const GROUPS = ['Service', 'Traffic', 'Behaviour'] as const;
const MOST_LISTED = 12;

const Head = ({ title, theme, children }: PropsWithChildren<{ title: string; theme: string }>) => (
  <html lang="en" data-theme={theme === 'auto' ? undefined : theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · wm-mock</title>
      <link rel="icon" href="/dashboard/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/dashboard/assets/style.css" />
      <script src="/dashboard/assets/script.js" defer></script>
    </head>
    {children}
  </html>
);

const Worlds = ({ context }: { context: Context }) => {
  const { host, instance } = context;
  const others = host.list();
  const listed = [host.main, ...others.slice(0, MOST_LISTED)];
  return (
    <details class="menu worlds">
      <summary>
        <Icon name="world" />
        <span class="menu-name">
          <span class="muted">World</span> <span class="strong">{instance.id}</span>
        </span>
        <Icon name="down" />
      </summary>
      <ul>
        {listed.map((one) => (
          <li>
            <a href={one === host.main ? '/' : `/worlds/${one.id}/`} aria-current={one === instance ? 'true' : undefined}>
              {one.id}
            </a>
          </li>
        ))}
        <li class="rule">
          <a href="/#worlds">{others.length > MOST_LISTED ? `All ${others.length + 1} worlds` : 'Manage worlds'}</a>
        </li>
      </ul>
    </details>
  );
};

const Nav = ({ context, pages, current }: { context: Context; pages: readonly Page[]; current: Page | undefined }) => (
  <nav class="nav" aria-label="Pages">
    {GROUPS.filter((group) => pages.some(({ nav }) => nav?.group === group)).map((group) => (
      <div class="nav-group">
        <p class="nav-title" aria-hidden="true">
          {group}
        </p>
        {pages
          .filter(({ nav }) => nav?.group === group)
          .map(({ nav, path, id }) => (
            <a
              href={context.href(nav!.to ?? path)}
              data-key={nav!.key}
              aria-current={
                current && (current.id === id || current.path.startsWith(`${path}/`)) && (path !== '/' || current.id === id)
                  ? 'page'
                  : undefined
              }
            >
              <Icon name={nav!.icon} />
              {nav!.label}
            </a>
          ))}
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

const ThemeSwitch = ({ context }: { context: Context }) => (
  <form method="post" action={context.href('/dashboard/theme')} class="theme">
    <input type="hidden" name="back" value={context.here()} />
    <fieldset>
      <legend class="hidden">Theme</legend>
      {THEMES.map((theme) => (
        <button type="submit" name="theme" value={theme} aria-pressed={context.theme === theme ? 'true' : 'false'}>
          {theme}
        </button>
      ))}
    </fieldset>
  </form>
);

/** A post that was refused: what is wrong, here in full and once more at each field. */
const Refusal = ({ context: { failure } }: { context: Context }) => {
  if (!failure) return null;
  const { message, fields } = failure.problem;
  return (
    <div class="notice bad" role="alert">
      <p class="strong">Nothing was changed.</p>
      {fields.length === 0 ? (
        <p>{message}</p>
      ) : (
        fields.map(({ field, issue }) => (
          <p>
            {field.replaceAll('_', ' ')} {issue}
          </p>
        ))
      )}
    </div>
  );
};

const Note = ({ context: { note } }: { context: Context }) => (
  <div id="note" role="status">
    {note?.says ? (
      <div class={`notice ${note.once ? 'once' : 'good'}`}>
        <p class="strong">{note.says}</p>
        {note.once ? (
          <>
            <p class="muted">{note.once.label}</p>
            <p class="once-value">
              <code>{note.once.value}</code>
              <Copy text={note.once.value} label="Copy the value" />
            </p>
          </>
        ) : null}
      </div>
    ) : null}
  </div>
);

interface LayoutProps {
  readonly context: Context;
  readonly pages: readonly Page[];
  readonly page: Page | undefined;
  readonly title: string;
}

/** A page in its frame. */
export const Layout = ({ context, pages, page, title, children }: PropsWithChildren<LayoutProps>) => (
  <Head title={title} theme={context.theme}>
    <body
      data-events={page ? context.href('/_mock/events') : undefined}
      data-kinds={[...new Set([...(page?.live ?? []), ...BAR_LIVE])].join(' ')}
    >
      <a href="#main" class="skip">
        Skip to the page
      </a>
      <header class="side">
        <a href={context.href('/')} class="brand" aria-label="wm-mock, overview">
          <span class="mark" aria-hidden="true" />
          <span class="brand-name">wm-mock</span>
        </a>
        <Worlds context={context} />
        <Nav context={context} pages={pages} current={page} />
        <div class="side-foot">
          <ThemeSwitch context={context} />
          {context.locked ? (
            <form method="post" action="/dashboard/logout">
              <button type="submit" class="button quiet">
                Sign out
              </button>
            </form>
          ) : null}
        </div>
      </header>
      <div class="page">
        <ClockBar context={context} />
        <main id="main" tabindex={-1}>
          <Note context={context} />
          <Refusal context={context} />
          {children}
        </main>
      </div>
    </body>
  </Head>
);

/** A page without a world: to sign in, or to say what went wrong. */
export const Alone = ({ title, theme, children }: PropsWithChildren<{ title: string; theme: string }>) => (
  <Head title={title} theme={theme}>
    <body class="alone">
      <main id="main">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          wm-mock
        </p>
        {children}
      </main>
    </body>
  </Head>
);

/** The whole document as text. */
export const written = async (page: Child): Promise<string> =>
  `<!doctype html>\n${await Promise.resolve(raw(String(await page)))}`;
