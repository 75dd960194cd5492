// The pages at /docs and /_mock: Scalar's API reference over our own documents, with nothing loaded from elsewhere.

/** Text of a script from the storage of this runtime; undefined if it has none. */
export type ScriptSource = () => Promise<string | undefined>;

const DOCS_STYLE = `:root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
body:has(.home) { --scalar-custom-header-height: 36px; } .home { position: sticky; top: 0; z-index: 2; display: block; height: 36px; padding-left: 16px; font: 14px/36px var(--scalar-font); color: var(--scalar-color-1); background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color); }`;

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' http: https:",
  "worker-src 'self' blob:",
].join('; ');

const CONFIGURATION = {
  // Each of these, left at its default, would reach for Scalar's own servers.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  proxyUrl: '',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  customCss: DOCS_STYLE,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  modelsSectionLabel: 'Schemas',
};

/** Whether there is a dashboard to link, and a key that fills in the form for requests. */
type PageOptions = { readonly home?: boolean; readonly key?: string | undefined };

const drawReference = (title: string, url: string, { home = false, key }: PageOptions): string => {
  const authentication = { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: key } } };
  const settings = JSON.stringify({ url, ...CONFIGURATION, authentication }).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${title}</title>
</head>
<body>
${home ? '<a class="home" href="/">← Dashboard</a>' : ''}<noscript>This page needs JavaScript. The document itself: <a href="${url}">OpenAPI</a>.</noscript>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script>Scalar.createApiReference('#reference', ${settings})</script>
</body>
</html>
`;
};

export const DOCS_HEADERS = { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' };
export const drawDocsPage = (options: PageOptions = {}) => drawReference('Work-Management API', '/openapi.json', options);
export const CONTROL_DOCS_PAGE = drawReference('Control API of wm-mock', '/_mock/openapi.json', { home: true });
