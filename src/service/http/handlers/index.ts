// The door of the handlers: one for each row of the table, and the rules of their bodies.
import { type CollectionName, OPERATION_IDS, operation } from '../../contract/operations.ts';
import type { BodyRules, Handlers } from './handler.ts';
import { projects } from './projects.ts';
import { referenceRule } from './references.ts';
import { tasks } from './tasks.ts';
import { teams } from './teams.ts';
import { users } from './users.ts';
import { receiverRule, webhooks } from './webhooks.ts';

export const handlers: Handlers = { ...projects, ...tasks, ...users, ...teams, ...webhooks };

/** The collection in which an operation makes or changes a record: the last one that its path names. */
const collectionInPath = (path: string) =>
  path
    .replace(/\/\{\w+\}$/, '')
    .split('/')
    .at(-1) as CollectionName;

export const rules: BodyRules = {
  ...Object.fromEntries(
    OPERATION_IDS.flatMap((id) => {
      const { body, path } = operation(id);
      return body ? [[id, referenceRule(collectionInPath(path))]] : [];
    }),
  ),
  createWebhook: receiverRule,
};
