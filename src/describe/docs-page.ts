// The page at /docs: Scalar's API reference over our own document, with nothing loaded from elsewhere.

export interface DocsPageOptions {
  /** Where the OpenAPI document is served. */
  readonly specUrl: string;
  /** Where Scalar's standalone bundle is served. */
  readonly scriptUrl: string;
  readonly title?: string;
  /** An API key to fill in, so that calls can be tried at once. */
  readonly key?: string;
}

// Each of these, left at its default, would reach for Scalar's own servers.
const STAY_LOCAL = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  proxyUrl: '',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
};

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

/** The HTML of the page. */
export const docsPage = ({ specUrl, scriptUrl, title = 'Work-Management API', key }: DocsPageOptions): string => {
  const configuration = {
    url: specUrl,
    ...STAY_LOCAL,
    customCss: FONTS,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: { preferredSecurityScheme: 'apiKey', ...(key && { securitySchemes: { apiKey: { token: key } } }) },
    modelsSectionLabel: 'Schemas',
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${inAttribute(POLICY)}">
<link rel="icon" href="data:,">
<title>${inAttribute(title)}</title>
</head>
<body>
<noscript>This page needs JavaScript. The document itself: <a href="${inAttribute(specUrl)}">OpenAPI</a>.</noscript>
<div id="reference"></div>
<script src="${inAttribute(scriptUrl)}"></script>
<script>Scalar.createApiReference('#reference', ${inScript(configuration)})</script>
</body>
</html>
`;
};

const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
