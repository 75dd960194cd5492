// A Mockoon environment with one data bucket of tasks behind CRUD routes, as its desktop application saves one. Usage: node mockoon.mjs <data> <port>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [data, port] = process.argv.slice(2);
const response = {
  uuid: 'response',
  rules: [],
  rulesOperator: 'OR',
  statusCode: 200,
  bodyType: 'DATABUCKET',
  databucketID: 'task',
};
const crud = { default: true, crudKey: 'id', headers: [], body: '{}', latency: 0, callbacks: [] };
const route = { uuid: 'tasks', type: 'crud', method: '', endpoint: 'tasks', responses: [{ ...response, ...crud }] };
const value = JSON.stringify(JSON.parse(readFileSync(data, 'utf8')).tasks);
const environment = {
  uuid: 'bench',
  lastMigration: 33,
  name: 'Bench',
  port: Number(port),
  hostname: '127.0.0.1',
  folders: [],
  routes: [route],
  rootChildren: [{ type: 'route', uuid: 'tasks' }],
  headers: [],
  data: [{ uuid: 'bucket', id: 'task', name: 'Tasks', documentation: '', value }],
};
const file = data.replace('.json', '.mockoon.json');
writeFileSync(file, JSON.stringify(environment));
const words = ['start', '--data', file, '--port', port, '--disable-log-to-file', '--disable-admin-api'];
process.argv.splice(2, 2, ...words);
await import(join(import.meta.dirname, 'node_modules/@mockoon/cli/bin/run.js'));
