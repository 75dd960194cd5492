// Responses: the documented ones pass, any other is reported.
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../service/contract/operations.ts';
import { checkResponse } from './response-check.ts';

const time = '2025-01-20T09:00:00.000Z';
const project = { id: 'proj_1', name: 'Site', visibility: 'team', created_at: time, updated_at: time };
const meta = { total: 1, limit: 20, has_more: false, next_cursor: null };
const error = { error: { code: 'not_found', message: 'No project has this id.', details: {} } };

describe('a documented response passes', () => {
  test.each<[OperationId, number, unknown]>([
    ['getProject', 200, { data: { ...project, description: null } }],
    ['getProject', 200, { data: { ...project, visibility: 'secret', owner_id: 'user_1' } }],
    ['getProject', 404, error],
    ['listProjects', 200, { items: [project], meta }],
    ['deleteProject', 204, undefined],
    ['createWebhook', 201, { data: { secret: 'whsec_1' } }],
    ['createWebhook', 200, { secret: 'whsec_1' }],
  ])('%s %i', (id, status, body) => expect(checkResponse(id, status, body)).toEqual([]));
});

describe('any other is said to be wrong, and where', () => {
  test.each<[OperationId, number, unknown, readonly string[]]>([
    ['getProject', 200, { data: { ...project, name: '' } }, ['getProject 200: body.data.name must not be empty']],
    ['getProject', 200, project, ['getProject 200: body.data is missing']],
    ['getProject', 200, undefined, ['getProject 200: body must be an object']],
    ['getProject', 404, { data: project }, ['getProject 404: body.error is missing']],
    [
      'listProjects',
      200,
      { items: [{ ...project, created_at: '2025-01-20' }], meta: { ...meta, limit: 101 } },
      [
        'listProjects 200: body.items.0.created_at must be an ISO 8601 datetime with its time zone, such as 2025-01-20T09:00:00Z',
        'listProjects 200: body.meta.limit must be at most 100',
      ],
    ],
    ['deleteProject', 204, {}, ['deleteProject 204: the body must be empty']],
    ['getProject', 204, undefined, ['getProject 204: the response must have a body']],
    ['createWebhook', 201, { id: 'wh_1' }, ['createWebhook 201: body.secret is missing']],
  ])('%s %i %j', (id, status, body, expected) => expect(checkResponse(id, status, body)).toEqual(expected));
});
