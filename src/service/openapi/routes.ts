// Routes of the OpenAPI document and the reference page.
import type { Hono } from 'hono';
import type { World } from '../world/world.ts';
import type { ScriptSource } from './docs-page.ts';

export interface Described {
  readonly world: () => Pick<World, 'choices' | 'release'>;
  readonly script: ScriptSource;
  /** A key for the page at `/docs`. Absent: there is no dashboard. @throws Problem when the reader may not see it */
  readonly key?: ((request: Request) => Promise<string | undefined>) | undefined;
}

/** Serves `/openapi.json`, `/openapi.yaml` and `/docs`; loads the code at the first request. */
export const describeRoutes = (app: Hono, { world, script, key }: Described): void => {
  const open = { 'access-control-allow-origin': '*' };
  const options = (at: string) => ({ serverUrl: `${new URL(at).origin}/v1`, choices: world().choices, release: world().release });

  app.get('/openapi.json', async (c) => {
    const { openApi } = await import('./openapi.ts');
    return c.json(openApi(options(c.req.url)), 200, open);
  });

  app.get('/openapi.yaml', async (c) => {
    const { openApiYaml } = await import('./openapi.ts');
    return c.body(await openApiYaml(options(c.req.url)), 200, { ...open, 'content-type': 'application/yaml' });
  });

  app.get('/docs', async (c) => {
    const { drawDocsPage, DOCS_HEADERS } = await import('./docs-page.ts');
    const shown = { home: key !== undefined, key: await key?.(c.req.raw).catch(() => undefined) };
    return c.html(drawDocsPage(shown), 200, DOCS_HEADERS);
  });

  app.get('/docs/scalar.js', async (c) => {
    const text = await script();
    if (text === undefined) return c.text('Scalar is not part of this build: open /openapi.json in a reader of your own.', 404);
    return c.body(text, 200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=3600' });
  });
};
