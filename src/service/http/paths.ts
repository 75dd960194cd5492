// Paths of a table with `{...}` for their variables: as the router wants them, and against real ones.

const PATH_VARIABLE = /\{(\w+)\}/g;

export const toPattern = (path: string): string => path.replace(PATH_VARIABLE, ':$1');

export const variableOf = (path: string): string | undefined => path.match(PATH_VARIABLE)?.[0].slice(1, -1);

export const pathFits = (wanted: string, path: string): boolean => {
  const [names, parts] = [wanted.split('/'), path.split('/')];
  return names.length === parts.length && names.every((name, i) => name.startsWith('{') || name === parts[i]);
};

export const WORLD_PREFIX = /^\/worlds\/[^/]+(?=\/)/;
/** Id of the world that a path names; empty: the first one. */
export const worldIn = (path: string): string => decodeURIComponent(WORLD_PREFIX.exec(path)?.[0].replace('/worlds/', '') ?? '');

export const rawPath = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

export const pathIn = (url: string): string => rawPath(url).replace(WORLD_PREFIX, '');

/** Whether a path, with its query or without, is one of the service or of its control API, whatever its world. */
export const isBelow = (root: '/v1' | '/_mock', path: string): boolean =>
  path.replace(WORLD_PREFIX, '').split(/[/?]/)[1] === root.slice(1);
