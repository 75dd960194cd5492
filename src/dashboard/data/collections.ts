// The collections of the data page, in the order of their tabs.
import type { CollectionTab } from './collection.ts';
import { comments } from './comments.tsx';
import { teams, users } from './people.tsx';
import { projects } from './projects.tsx';
import { tasks } from './tasks.tsx';

export const COLLECTION_TABS = [projects, tasks, users, teams, comments] as unknown as readonly CollectionTab[];
