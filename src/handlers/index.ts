// The door of the handlers: one for each row of the table, and the rules of their bodies.
import type { Handlers, Rules } from './handler.ts';
import { projectRules, projects } from './projects.ts';
import { taskRules, tasks } from './tasks.ts';
import { teamRules, teams } from './teams.ts';
import { users } from './users.ts';
import { webhookRules, webhooks } from './webhooks.ts';

export const handlers: Handlers = { ...projects, ...tasks, ...users, ...teams, ...webhooks };

export const rules: Rules = { ...projectRules, ...taskRules, ...teamRules, ...webhookRules };
