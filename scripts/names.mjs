// Part of the build: Faker as the service worker carries it. Of all that it can make up, seeds take the names of people.
import { pathToFileURL } from 'node:url';

const MODULES = ['person', 'helpers', 'number', 'datatype'];
const DIST = '@faker-js[\\\\/]faker[\\\\/]dist[\\\\/]';
const ENGLISH = new RegExp(`${DIST}en-[\\w-]+\\.js$`);
const CODE = new RegExp(`${DIST}base-[\\w-]+\\.js$`);

/** Leaves the other modules behind, and the words that they choose from. What it does not find as it is today stays. */
export const names = {
  name: 'names of people alone',
  load: async (id) => {
    if (!ENGLISH.test(id)) return undefined;
    const { metadata, person } = (await import(pathToFileURL(id))).t;
    const { first_name, last_name, last_name_pattern } = person;
    return `export const t = ${JSON.stringify({ metadata, person: { first_name, last_name, last_name_pattern } })};`;
  },
  transform: (code, id) =>
    CODE.test(id)
      ? code
          .replaceAll(/(\w+)=new [\w$]+\(this\);/g, (made, name) => (MODULES.includes(name) ? made : ''))
          .replaceAll(/=(?=Object\.fromEntries\(|`[^`]*`\.split\()/g, '=/* @__PURE__ */')
          .replace(/const (\w+)=\{.*\};(?=export\{.*\b\1 as t\b)/s, 'const $1={};')
      : undefined,
};
