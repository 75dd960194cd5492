// Request bodies: every failing field once, with what was expected.
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../contract/operations.ts';
import { checkBody } from './validator.ts';

const faults = (id: OperationId, body: unknown) =>
  checkBody(id, body).map(({ field, kind, issue }) => `${field} ${kind}: ${issue}`);

describe('a fitting body has no fault', () => {
  test.each<[OperationId, unknown]>([
    ['createProject', { name: 'x' }],
    ['createProject', { name: '🦊'.repeat(150), description: null, visibility: 'team', unknown: 1 }],
    ['updateProject', {}],
    [
      'createTask',
      { title: 'é'.repeat(255), description: null, assignee_id: null, due_date: null, priority: 'low', status: 'done' },
    ],
    ['updateTask', { due_date: '2025-01-20T10:00:00+01:00' }],
    ['createTeam', { name: 'Design', member_ids: [] }],
    ['createWebhook', { url: 'http://127.0.0.1:9/hook' }],
    ['createWebhook', { url: 'https://hooks.test', events: ['task.created', 'member.joined'] }],
  ])('%s %j', (id, body) => expect(checkBody(id, body)).toEqual([]));
});

test('an operation that takes no body finds no fault', () => expect(checkBody('getTask', 'anything')).toEqual([]));

describe('each failing field is named once, with what was expected', () => {
  test.each<[OperationId, unknown, readonly string[]]>([
    ['createProject', [], ['body structure: must be a JSON object']],
    ['createProject', null, ['body structure: must be a JSON object']],
    ['createProject', {}, ['name structure: is required']],
    ['createProject', { name: '' }, ['name value: must not be empty']],
    ['createProject', { name: '🦊'.repeat(151) }, ['name length: must be at most 150 characters']],
    ['createProject', { name: 'x', visibility: null }, ['visibility structure: must be a string']],
    ['createProject', { name: 'x', description: 5 }, ['description structure: must be a string or null']],
    ['updateProject', { name: null }, ['name structure: must be a string']],
    [
      'createTask',
      { title: 7, priority: 'hot', due_date: 'soon', status: [], description: 'x'.repeat(10_001) },
      [
        'title structure: must be a string',
        'description length: must be at most 10000 characters',
        'due_date value: must be an ISO 8601 datetime with its time zone, such as 2025-01-20T09:00:00Z',
        'priority value: must be one of low, medium, high, urgent',
        'status structure: must be a string',
      ],
    ],
    ['createTask', { title: 'x', assignee_id: '' }, ['assignee_id value: must not be empty']],
    ['createTeam', { name: 'x', member_ids: ['user_a', 5, ''] }, ['member_ids structure: item 2 must be a string']],
    ['createWebhook', { url: 'nowhere', events: [] }, ['url value: must be an absolute URL', 'events value: must not be empty']],
    [
      'createWebhook',
      { url: 'https://a.test', events: ['*'] },
      [
        'events value: item 1 must be one of task.created, task.updated, task.deleted, project.created, project.updated, project.deleted, member.invited, member.joined',
      ],
    ],
  ])('%s %j', (id, body, expected) => expect(faults(id, body)).toEqual(expected));
});
