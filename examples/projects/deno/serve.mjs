// The server of the other runtimes. Deno ends when it is told to.
import './server.mjs';

Deno.exit();
