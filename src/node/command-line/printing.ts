// Text for people: it steers no terminal and no CI service, and tells no secret of the environment or of a URL.
import { escapeControls } from '../../mock/api/report.ts';
import { HIDDEN, isSecretName } from '../../service/http/redact.ts';

/** Shorter values of the environment are hidden nowhere: they would hide half of every text. */
const MIN_SECRET_CHARS = 8;

const hideInUrls = (text: string): string =>
  text
    .replace(/(\w:\/\/)[^\s/@]*@/g, `$1${HIDDEN}@`)
    .replace(/([?&]([^=&#\s]+)=)[^&#\s"']+/g, (pair, head: string, name: string) => (isSecretName(name) ? head + HIDDEN : pair));

/** @param env its keys, tokens and passwords are hidden */
export const printableFor = (env: Readonly<Record<string, string | undefined>>): ((text: string) => string) => {
  const named = Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name) || /_API_KEY_/.test(name) ? [value] : [],
  );
  const secrets = named.filter((value) => value.length >= MIN_SECRET_CHARS).sort((a, b) => b.length - a.length);
  const safeLine = (line: string) => escapeControls(line).replace(/^\s*(?=::|##\[)/, '$&\\');
  const hide = (text: string) => hideInUrls(secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text));
  return (text) => hide(text).split('\n').map(safeLine).join('\n');
};
