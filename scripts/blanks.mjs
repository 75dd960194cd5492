// Part of the build: code without blanks, in ASCII, a line for each file of the source. Names stay, for a stack shows them and others use them.
import { minifySync } from 'rolldown/experimental';

const ALONE = {
  module: true,
  mangle: { toplevel: false, keepNames: true },
  compress: false,
  codegen: { removeWhitespace: true },
};

/** The code of one or more files, each below its name where it stands there. */
export const withoutBlanks = (code, mangle = ALONE.mangle) =>
  code
    .split(/^(?=\/\/ (?:src|node_modules)\/\S+$)/m)
    .map((part) => {
      const [name] = part.split('\n', 1);
      const generated = /^\/\/ (src\S+\.generated\.ts|node_modules\/ipaddr)/.test(name);
      const small = minifySync('part.js', part, generated ? { module: false } : { ...ALONE, mangle }).code;
      return name.startsWith('// ') ? `${name}\n${small}\n` : `${small}\n`;
    })
    .join('')
    // One character beyond Latin would make all of a file two bytes a character, which is slower to load.
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
