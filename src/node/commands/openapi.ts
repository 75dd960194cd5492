// `wm-mock openapi`: prints the OpenAPI document of a release.
import { type CommandLine, readRelease } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';

export const printOpenApi = async ({ flags }: CommandLine, io: Io): Promise<number> => {
  const { OPENAPI_VERSIONS, openApi, openApiYaml } = await import('../../service/openapi/openapi.ts');
  const release = readRelease(flags);
  const version = flags.openapi ?? '3.1';
  const openapi = OPENAPI_VERSIONS.find((one) => one === version);
  if (!openapi) throw new UsageError(`--openapi: expected one of ${OPENAPI_VERSIONS.join(', ')}, got "${version}".`);
  const options = { openapi, ...(release !== undefined && { release }) };
  io.raw(flags.yaml ? await openApiYaml(options) : `${JSON.stringify(openApi(options), null, 2)}\n`);
  return 0;
};
