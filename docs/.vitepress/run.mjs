// Runs an example in the page, on the mock in the service worker: curl calls as requests, modules as they are.
import { callIn, curlsIn } from './rules.mjs';

/** The server that the pages name. */
const SERVER = 'http://127.0.0.1:4700';
const PACKAGES = {
  'wm-mock': () => import('../../dist/index.js'),
  'wm-mock/connect': () => import('../../dist/connect/index.js'),
  'wm-mock/matchers': () => import('../../dist/testing/index.js'),
};
const AsyncFunction = (async () => {}).constructor;

let registered;
/** The mock with the demo: its worker starts with the first example, and keeps its data in this browser. */
const startMock = (base) => {
  registered ??= import(/* @vite-ignore */ `${base}wm-mock-register.js`)
    .then(({ register }) => register({ seed: 'demo' }))
    .catch((error) => {
      registered = undefined;
      throw error;
    });
  return registered;
};

const variablesOf = ({ baseUrl, controlUrl, keys }) => ({
  WM_BASE_URL: baseUrl,
  WM_CONTROL_URL: controlUrl,
  ...Object.fromEntries(keys.map(({ scope, value }) => [`WM_API_KEY_${scope.toUpperCase()}`, value]).reverse()),
});

const formatText = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
const formatValue = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A fetch that shows each exchange with the mock. */
const showingFetch =
  ({ baseUrl }, show, isOpen) =>
  async (url, init) => {
    const response = await fetch(url, init);
    const call = `${init?.method ?? 'GET'} ${String(url).replace(baseUrl.slice(0, -3), '')}`;
    show({ call, status: response.status, text: formatText(await response.clone().text()), isOpen });
    return response;
  };

/** The words of a line of the shell: without quotes, and variables replaced outside of single ones. */
const wordsOf = (line, variables) => {
  const replace = (text) => text.replaceAll(/\$\{?(\w+)\}?/g, (_, name) => variables[name] ?? '');
  const words = line
    .match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)
    .map((word) =>
      word.replaceAll(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^'"\\]+)/g,
        (_, single, double, escaped, plain) => single ?? escaped ?? replace(plain ?? double.replaceAll(/\\(["\\$])/g, '$1')),
      ),
    );
  const end = words.findIndex((word) => /^[|;&>]/.test(word));
  return end < 0 ? words : words.slice(0, end);
};

/** @returns what fetch takes for a curl call */
const requestOf = ([, ...words]) => {
  const init = { headers: {} };
  let url;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') init.method = words.shift();
    else if (word === '-d') init.body = words.shift();
    else if (word === '-H') {
      const [name, ...value] = words.shift().split(':');
      init.headers[name] = value.join(':').trim();
    } else if (!word.startsWith('-')) url = word;
  }
  return [url, { method: init.body === undefined ? 'GET' : 'POST', ...init }];
};

const runCurls = async (code, mock, show) => {
  const send = showingFetch(mock, show, true);
  const root = mock.baseUrl.slice(0, -3);
  for (const line of curlsIn(code)) await send(...requestOf(wordsOf(line.replaceAll(SERVER, root), variablesOf(mock))));
};

const runCall = async (code, mock, show) => {
  const { method, path, body } = callIn(code);
  const headers = { ...mock.auth('admin'), ...(body && { 'content-type': 'application/json' }) };
  await showingFetch(mock, show, true)(mock.baseUrl.slice(0, -3) + path, { method, body, headers });
};

const runModule = async (code, mock, show) => {
  const body = code.replaceAll(
    /^import (\{[^}]*\}) from '([^']+)';?/gm,
    (_, names, from) => `const ${names.replaceAll(' as ', ': ')} = await load('${from}');`,
  );
  const load = (name) => PACKAGES[name]();
  const log = (...values) => show({ text: values.map(formatValue).join(' ') });
  const module = new AsyncFunction('load', 'process', 'console', 'fetch', body);
  await module(load, { env: variablesOf(mock) }, { log }, showingFetch(mock, show, false));
};

const RUN = { curl: runCurls, call: runCall, module: runModule };

/** @param show receives each exchange and each line that is printed, as it happens */
export const runExample = async (kind, code, base, show) => {
  try {
    await RUN[kind](code, await startMock(base), show);
  } catch (error) {
    show({ text: String(error), isFailed: true });
  }
};
