// Entry of `npm run docs`: writes what is generated from the tables; with --released names what breaks clients.
import { writeDocuments } from './documents.ts';
import { PACKAGE } from './files.ts';
import { checkReleased, keepReleased } from './released.ts';

const argv = process.argv.slice(2);
if (argv.includes('--released')) process.exitCode = await checkReleased(PACKAGE, console.log);
else if (argv.includes('--keep-release')) process.exitCode = await keepReleased(PACKAGE, console.log);
else await writeDocuments(PACKAGE, console.log);
