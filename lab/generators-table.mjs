// Which generators are tried, at which versions, and how: scripts for bash, in a folder of the line's own that holds the sessions.
// $DOCUMENT is the document (of /v1, or with `control` of the control API), $TOOLS the cache, $ROOT this repository.

/** What each registry's tools are, in the cache: the file that is there once they are, and the script that installs them. */
export const TOOLS = {
  java: [
    'openapi-generator-cli-7.25.0.jar',
    'mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory="$PWD"',
  ],
  python: [
    'python/bin/pytest',
    `python3 -m venv python && python/bin/pip install -q openapi-python-client==0.29.1 pytest==9.2.0 pytest-xdist==3.8.0 ruff==0.14.6 \\
      urllib3==2.8.0 pydantic==2.14.3 python-dateutil==2.9.0.post0`,
  ],
  npm: [
    'node_modules/orval/package.json',
    `echo '{"private":true,"type":"module"}' > package.json && npm install --no-audit --no-fund --save-exact typescript@5.9.3 \\
      @apidevtools/swagger-parser@13.1.0 @hey-api/openapi-ts@0.99.0 orval@8.38.0 @kubb/cli@4.39.3 @kubb/core@4.39.3 \\
      @kubb/plugin-oas@4.39.3 @kubb/plugin-ts@4.39.3 @kubb/plugin-client@4.39.3 axios@1.21.1 @types/node@20.19.43`,
  ],
  go: ['bin/oapi-codegen', 'GOBIN="$PWD/bin" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
  rust: ['bin/cargo-progenitor', 'cargo install -q --locked --root . cargo-progenitor@0.15.1'],
};

const tsc = (file) =>
  `$TOOLS/node_modules/.bin/tsc --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2023 \\
    --lib es2023,dom,dom.iterable --types node ${file}`;

const ofOpenApiGenerator = (language, compile, session) => ({
  tools: ['java', 'python', 'npm'],
  generate: `java -jar $TOOLS/openapi-generator-cli-7.25.0.jar generate -i $DOCUMENT -o client -g ${language}`,
  ...(compile && { compile }),
  ...(session && { session }),
});

const ofNpm = (generate, compile) => ({ tools: ['npm'], generate: `$TOOLS/node_modules/.bin/${generate}`, compile });
const runTs = (file) => `$ROOT/node_modules/.bin/rolldown ${file} -p node -o session.out.mjs && node session.out.mjs`;

const PYTHON = "cd client && python -m compileall -q . && python -c 'from openapi_client import *'";
const GO = 'go --git-host example.test --git-user-id api --git-repo-id client';
const GO_VET = 'cd client && rm -rf test && go mod tidy && go vet .';
const goRun = (file) => `mkdir -p client/session && cp ${file} client/session && cd client && go run ./session`;
const PACKAGE = 'cd client && mvn -q -Dmaven.test.skip -Dmaven.javadoc.skip -Dmaven.source.skip package';
const javaRun = (file) => `java -cp 'client/target/classes:client/target/lib/*' ${file}`;
const OAPI_CODEGEN = {
  tools: ['go'],
  generate: 'mkdir client && $TOOLS/bin/oapi-codegen -generate types,client -package client -o client/client.go $DOCUMENT',
  compile: 'cd client && go mod init example.test/client && go mod tidy && go vet .',
};

const ofControl = (row) => ({ ...row, words: ['3.1'], control: true });
// Without this option it sends {} for each map that is not given.
const FULL_JAVA = 'java --additional-properties=containerDefaultToNull=true';

/** `words`: the versions of OpenAPI that it reads, where not both. No `compile`: this repository asks for no compiler of the language. */
export const GENERATORS = {
  'swagger-parser': { tools: ['npm'], generate: 'cp parse.config.mjs $TOOLS && node $TOOLS/parse.config.mjs $DOCUMENT' },
  'openapi-generator python': ofOpenApiGenerator('python', PYTHON, 'PYTHONPATH=client python session.py'),
  'openapi-generator go': ofOpenApiGenerator(GO, GO_VET, goRun('session.go')),
  'openapi-generator java': ofOpenApiGenerator('java', PACKAGE, javaRun('Session.java')),
  'openapi-generator kotlin': ofOpenApiGenerator('kotlin'),
  'openapi-generator csharp': ofOpenApiGenerator('csharp'),
  'openapi-generator rust': ofOpenApiGenerator('rust', 'cd client && cargo check -q'),
  'openapi-generator typescript-fetch': ofOpenApiGenerator('typescript-fetch', tsc('session.ts'), runTs('session.ts')),
  'openapi-generator typescript-axios': ofOpenApiGenerator('typescript-axios', tsc('client/index.ts')),
  'openapi-python-client': {
    tools: ['python'],
    generate: 'openapi-python-client generate --path $DOCUMENT --output-path client --meta none --fail-on-warning',
    compile:
      "python -m compileall -q client && python -c 'from client.models import *; from client.api.webhooks import create_webhook'",
    session: 'python session_httpx.py',
  },
  'oapi-codegen': OAPI_CODEGEN,
  'hey-api': { ...ofNpm('openapi-ts -i $DOCUMENT -o client', tsc('session-hey-api.ts')), session: runTs('session-hey-api.ts') },
  orval: ofNpm('orval --input $DOCUMENT --output client.ts --client fetch', tsc('client.ts')),
  kubb: ofNpm('kubb generate --config kubb.config.mjs', tsc('--allowImportingTsExtensions client/index.ts')),
  progenitor: {
    tools: ['rust'],
    words: ['3.0'],
    generate: '$TOOLS/bin/cargo-progenitor progenitor -i $DOCUMENT -o client -n client -v 0.1.0',
    compile: 'cd client && cargo check -q',
  },
  'control openapi-generator python': ofControl(ofOpenApiGenerator('python', PYTHON)),
  'control openapi-generator go': ofControl(ofOpenApiGenerator(GO, GO_VET, goRun('control.go'))),
  'control openapi-generator java': ofControl(ofOpenApiGenerator(FULL_JAVA, PACKAGE, javaRun('Control.java'))),
  'control openapi-generator typescript-fetch': ofControl(ofOpenApiGenerator('typescript-fetch', tsc('client/index.ts'))),
  'control oapi-codegen': ofControl(OAPI_CODEGEN),
};

/**
 * The recipes of docs/languages.md, by the folder of their files: how each is run; and what the page's tests are made to expect
 * in vain, so that they show what the mock was asked.
 */
export const RECIPES = {
  pytest: { tools: ['python'], run: 'npx wm-mock exec --plan unlimited -- python -m pytest -q -n 2', file: 'test_tasks.py' },
  go: { tools: [], run: 'test -f go.mod || go mod init example.test/tasks; go test -count=1 ./...', file: 'tasks_test.go' },
  junit: { tools: [], run: 'npx wm-mock exec --plan unlimited -- mvn -q -B test', file: 'src/test/java/TasksTest.java' },
};
