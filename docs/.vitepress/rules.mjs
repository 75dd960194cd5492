// Which examples of the pages run in a page of the site. Their own text says it: no page marks one.

/** The packages that an example may import: those that need no Node. */
const IMPORTED = ['wm-mock', 'wm-mock/connect', 'wm-mock/matchers'];
/** Parts of a module that run in Node or in a test runner alone. */
const OF_NODE = /^export |\.listen\(|\b(import|require|test|expect|beforeEach)\(/m;
const CURL = /^curl .*(http:\/\/127\.0\.0\.1:4700|\$WM_(BASE|CONTROL)_URL)\//;
/** A call that stands in a text, such as `GET /_mock/clock` or `POST /_mock/worlds {"release":"1.1"}`; no stream, script, file or recording. */
const CALL =
  /^(?:(GET) (\/(?:v1|_mock)\/(?!events|panel|repro|har|openapi)[\w/]+)(?:\?\S*)?|(POST|PATCH) (\/(?:v1|_mock)\/[\w/]+) (\{(?! *"at").*\}))$/;

/** The curl calls of a script to the mock; those in `sh -c '…'` too. */
export const curlsIn = (script) =>
  script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/^.*\bsh -c '([^']*)'.*$/, '$1'))
    .filter((line) => CURL.test(line));

/** @returns method, path and body of a call that is written in a text */
export const callIn = (text) => {
  const [call, get, gotten, method = get, path = gotten, body] = CALL.exec(text) ?? [];
  return call && { method, path, body };
};

const isModule = (code) => {
  const names = [...code.matchAll(/^import (?:.* from )?'([^']+)'/gm)].map(([, name]) => name);
  const isOfPage = names.length > 0 || code.includes('process.env.WM_');
  return isOfPage && names.every((name) => IMPORTED.includes(name)) && !OF_NODE.test(code);
};

/** @returns how an example runs: as `curl` calls or as a `module`; undefined if it does not */
export const kindOf = (language, code) => {
  if (language === 'sh' && curlsIn(code).length > 0) return 'curl';
  return language === 'js' && isModule(code) ? 'module' : undefined;
};
