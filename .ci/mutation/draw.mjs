// Which mutants are in a share: what a mutant is decides, not where it stands, so that moved code keeps its draw.
import { createHash } from 'node:crypto';

export const isDrawn = ({ fileName, mutatorName, replacement, location: { start, end } }, share) => {
  if (share >= 1) return true;
  // The place is no part of it: a test runner counts columns from 0, and results count them from 1.
  const length = start.line === end.line ? end.column - start.column : 0;
  const what = [fileName.slice(fileName.lastIndexOf('/src/')), mutatorName, replacement, length];
  return createHash('sha256').update(what.join(' ')).digest().readUInt32BE() / 2 ** 32 < share;
};
