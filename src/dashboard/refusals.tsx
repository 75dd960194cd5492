// Pages without a world: to sign in, and to say what went wrong and what to do.
import type { PropsWithChildren } from 'hono/jsx';
import type { Problem } from '../service/contract/errors.ts';
import { rawPath, WORLD_PREFIX } from '../service/http/paths.ts';
import type { Context } from './context.ts';
import { DocumentHead, Layout, renderDocument } from './layout.tsx';
import type { DashboardPage } from './page.ts';
import { ReproButton } from './page-head.tsx';
import { LinkButton } from './parts.tsx';
import { respondHtml } from './respond.ts';

const PlainDocument = ({ title, theme, children }: PropsWithChildren<{ title: string; theme: string }>) => (
  <DocumentHead title={title} theme={theme}>
    <body class="alone">
      <main id="main">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          wm-mock
        </p>
        {children}
      </main>
    </body>
  </DocumentHead>
);

const TITLES: Readonly<Record<number, string>> = {
  403: 'This request is refused',
  404: 'There is nothing here',
  405: 'That is not how it is asked',
};

/** @param context of a world whose navigation is shown; only to those who may see it */
export const renderError = async ({ status, message }: Pick<Problem, 'status' | 'message'>, theme: string, context?: Context) => {
  const title = TITLES[status] ?? (status < 500 ? 'The request is refused' : 'The dashboard failed');
  const words = [
    <h1>{title}</h1>,
    <p>{message}</p>,
    <p>
      <LinkButton to="/" says="To the overview" kind="primary" /> {context ? <ReproButton context={context} /> : null}
    </p>,
  ];
  const none: DashboardPage = { id: 'error', path: '', title, live: [], examples: {}, says: () => '', parts: [] };
  const page = context ? (
    <Layout context={context} page={none}>
      {words}
    </Layout>
  ) : (
    <PlainDocument title={title} theme={theme}>
      {words}
    </PlainDocument>
  );
  return respondHtml(await renderDocument(page), status);
};

export const renderSignIn = async (request: Request, theme: string, status = 401, issue?: string): Promise<Response> => {
  const { searchParams, search } = new URL(request.url);
  const path = rawPath(request.url);
  const prefix = WORLD_PREFIX.exec(path)?.[0] ?? '';
  const back = path === `${prefix}/dashboard/login` ? (searchParams.get('back') ?? `${prefix}/`) : `${path}${search}`;
  const page = (
    <PlainDocument title="Sign in" theme={theme}>
      <h1>This mock asks for its token</h1>
      <p class="muted">
        The mock printed it at its start (--control-token); that of a hosted world came with the response that created it.
      </p>
      <form method="post" action={`/dashboard/login?back=${encodeURIComponent(back)}`}>
        <div class={`field${issue ? ' wrong' : ''}`}>
          <label for="token">Token</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="current-password"
            required
            aria-describedby={issue ? 'token-issue' : undefined}
          />
          {issue ? (
            <p class="issue" id="token-issue" role="alert">
              {issue}
            </p>
          ) : null}
        </div>
        <button type="submit" class="button primary">
          Sign in
        </button>
      </form>
    </PlainDocument>
  );
  return respondHtml(await renderDocument(page), status);
};
