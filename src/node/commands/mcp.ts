// `wm-mock mcp`: a mock, its own or one that runs, as tools for coding agents by the Model Context Protocol over standard input and output.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { connect, type RemoteMock } from '../../connect/connect.ts';
import { TEXT_FAULTS } from '../../service/validation/json-text.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError, waitForAbort } from '../command-line/io.ts';
import { PACKAGE_FOLDER, packageVersion } from '../package-folder.ts';
import { TOOLS } from './mcp-tools.ts';
import { startMock } from './serve.ts';

const AGENT_PAGES: Readonly<Record<string, string>> = {
  'AGENTS.md': 'How to build and test an app with the mock. Read it first.',
  'openapi/openapi.json': 'The API that an app calls.',
  'docs/faults.md': 'What can go wrong on order.',
  'docs/control-api.md': 'Everything that a test can do to the mock over HTTP.',
};

/** Computed, so that bundlers do not look for an optional package. */
const SDK = ['@modelcontextprotocol', 'server'].join('/');

/** @throws UsageError if the package is missing, else the error itself */
export const reportMissingSdk = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const says =
    'mcp: the package @modelcontextprotocol/server is missing. Install it beside wm-mock: npm install --save-dev @modelcontextprotocol/server. See AGENTS.md.';
  throw new UsageError(says, 1);
};

const loadSdk = async () => {
  try {
    const { McpServer, fromJsonSchema } = (await import(SDK)) as typeof import('@modelcontextprotocol/server');
    const { serveStdio } = (await import(`${SDK}/stdio`)) as typeof import('@modelcontextprotocol/server/stdio');
    return { McpServer, fromJsonSchema, serveStdio };
  } catch (error) {
    return reportMissingSdk(error as NodeJS.ErrnoException);
  }
};

const toToolResult = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value, null, 1) }] });

const TOO_DEEP = new Error(`the arguments ${TEXT_FAULTS.nesting}`);
/** Field errors let the agent correct its call. */
const toToolError = (error: unknown) => {
  const { message, fields = [] } = (error instanceof RangeError ? TOO_DEEP : error) as Error & { fields?: readonly object[] };
  return { ...toToolResult(fields.length > 0 ? { message, fields } : { message }), isError: true };
};

const registerTools = (server: McpServer, mock: RemoteMock, { fromJsonSchema }: Awaited<ReturnType<typeof loadSdk>>) => {
  for (const [name, { title, description, input, readOnly, run }] of Object.entries(TOOLS)) {
    const config = {
      title,
      description,
      inputSchema: fromJsonSchema<object>(input as Parameters<typeof fromJsonSchema>[0]),
      annotations: { readOnlyHint: readOnly, openWorldHint: false },
    };
    server.registerTool(name, config, (given) => run(mock, given as never).then(toToolResult, toToolError));
  }
  for (const [path, description] of Object.entries(AGENT_PAGES)) {
    const mimeType = path.endsWith('.json') ? 'application/json' : 'text/markdown';
    server.registerResource(path, `wm-mock://${path}`, { description, mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: await readFile(join(PACKAGE_FOLDER, path), 'utf8') }],
    }));
  }
  return server;
};

const openTarget = async (args: CommandLine, io: Io) => {
  const { 'control-url': url, 'control-token': token } = args.flags as Readonly<Record<string, string | undefined>>;
  if (url === undefined) {
    const { mock, server } = await startMock(args, io, 0);
    return { mock: await connect(`${server.origin}/_mock`, { token: mock.guard.token }), close: () => mock.close() };
  }
  const mock = await connect(url, { token }).catch((error: Error) => {
    throw new UsageError(`mcp: ${error.message}`, 1);
  });
  return { mock, close: async () => {} };
};

/** @throws UsageError, SeedError */
export const serveMcp = async (args: CommandLine, io: Io): Promise<number> => {
  const loaded = await loadSdk();
  const { mock, close } = await openTarget(args, io);
  const version = await packageVersion();
  const instructions =
    'A mock of the Work-Management API, for building and testing apps. Begin with describe_mock; wm-mock://AGENTS.md says how to work with it.';
  try {
    await new Promise<void>((ended) => {
      const serving = loaded.serveStdio(() => {
        const server = new loaded.McpServer({ name: 'wm-mock', version }, { instructions });
        server.server.onclose = ended;
        return registerTools(server, mock, loaded);
      });
      process.stdin.once('end', ended);
      void waitForAbort(io.stop).then(() => serving.close().then(ended));
      io.err(`wm-mock: ${mock.baseUrl} for an agent\n`);
    });
  } finally {
    await close();
  }
  return 0;
};
