// Entry of `npm run docs`: writes what is generated from the tables; with --check names what is stale and exits 1.
import { writeDocuments } from './documents.ts';
import { PACKAGE } from './files.ts';

process.exitCode = await writeDocuments(PACKAGE, process.argv.slice(2), console.log);
