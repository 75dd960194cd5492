// The pages at /docs and /_mock: Scalar's API reference over our own documents, with nothing loaded from elsewhere.

/** Text of a script from the storage of this runtime; undefined if it has none. */
export type ScriptSource = () => Promise<string | undefined>;

const FONTS = `:root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }`;

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
  customCss: FONTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'apiKey' },
  modelsSectionLabel: 'Schemas',
};

const docsPage = (title: string, url: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<link rel="icon" href="data:,">
<title>${title}</title>
</head>
<body>
<noscript>This page needs JavaScript. The document itself: <a href="${url}">OpenAPI</a>.</noscript>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script>Scalar.createApiReference('#reference', ${JSON.stringify({ url, ...CONFIGURATION })})</script>
</body>
</html>
`;

export const DOCS_HEADERS = { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' };
export const DOCS_PAGE = docsPage('Work-Management API', '/openapi.json');
export const CONTROL_DOCS_PAGE = docsPage('Control API of wm-mock', '/_mock/openapi.json');
