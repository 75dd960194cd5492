// Entry of `npm run docs`: hands its process to what writes and judges the generated documents.
import { runDocuments } from './documents.ts';
import { PACKAGE } from './files.ts';

process.exitCode = await runDocuments(PACKAGE, process.argv.slice(2), console.log);
