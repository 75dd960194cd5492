// What measurements inside the process need of the source, beyond the package's own door.
export { showTask } from '../../src/http/handlers/show.ts';
export { page } from '../../src/lists/page.ts';
export { toSeed } from '../../src/mock/create.ts';
export { createMock } from '../../src/node/index.ts';
export { checkResponse } from '../../src/validation/response-check.ts';
export { Journal } from '../../src/world/journal.ts';
export { View } from '../../src/world/view.ts';
export { World } from '../../src/world/world.ts';
