// The door of the handlers: one for each row of the table, and the rules of their bodies.
import type { Handlers, Rules } from './handler.ts';
import { projects } from './projects.ts';
import { references } from './references.ts';
import { tasks } from './tasks.ts';
import { teams } from './teams.ts';
import { users } from './users.ts';
import { receives, webhooks } from './webhooks.ts';

export const handlers: Handlers = { ...projects, ...tasks, ...users, ...teams, ...webhooks };

export const rules: Rules = {
  createProject: references('projects'),
  updateProject: references('projects'),
  createTask: references('tasks'),
  updateTask: references('tasks'),
  createTeam: references('teams'),
  createWebhook: receives,
};
