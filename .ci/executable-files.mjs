// Runs first in the executable: the package seems to lie in a folder that no disk has, and what is read there are assets of the executable.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { getAsset } from 'node:sea';

globalThis.WM_MOCK_HERE = `file://${process.platform === 'win32' ? '/C:' : ''}/wm-mock.package/dist/node/cli.js`;

const FOLDER = /^(?:[A-Z]:)?[\\/]wm-mock\.package[\\/](.+)$/;

const asset = (path) => {
  const [, name] = FOLDER.exec(String(path)) ?? [];
  try {
    return name && Buffer.from(getAsset(name.replaceAll('\\', '/')));
  } catch {
    return undefined;
  }
};

const or =
  (read, readAsset) =>
  (path, ...rest) => {
    const bytes = asset(path);
    return bytes ? readAsset(bytes, ...rest) : read(path, ...rest);
  };

const decoded = (bytes, options) => {
  const encoding = options?.encoding ?? options;
  return typeof encoding === 'string' ? bytes.toString(encoding) : bytes;
};

fs.existsSync = or(fs.existsSync, () => true);
fs.readFileSync = or(fs.readFileSync, decoded);
fs.promises.readFile = or(fs.promises.readFile, async (...given) => decoded(...given));
fs.promises.copyFile = or(fs.promises.copyFile, (bytes, to) => fs.promises.writeFile(to, bytes));
syncBuiltinESMExports();
