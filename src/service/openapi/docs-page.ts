// The pages at /docs and /_mock: Scalar's API reference over our own documents, with nothing loaded from elsewhere.

/** Text of a script from the storage of this runtime; undefined if it has none. */
export type ScriptSource = () => Promise<string | undefined>;

const DOCS_STYLE = `:root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; } #reference { position: relative; overflow-x: clip; }
body:has(.home) { --scalar-custom-header-height: 36px; } .home { position: sticky; top: 0; z-index: 2; height: 36px; padding-left: 16px; font: 14px/36px var(--scalar-font); background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color); } .home a { color: var(--scalar-color-1); }
.light-mode { --scalar-color-2: #595959; --scalar-color-3: #636363; --scalar-color-blue: #0a64a8; --scalar-color-green: #047346; --scalar-color-yellow: #7f5200; --scalar-color-red: #c0130c; --scalar-color-orange: #a83800; } .dark-mode { --scalar-color-3: #9a9a9a; --scalar-color-red: #ff8178; }`;

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
${home ? '<nav class="home" aria-label="Back"><a href="/">← Dashboard</a></nav>' : ''}<noscript>This page needs JavaScript. The document itself: <a href="${url}">OpenAPI</a>.</noscript>
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
