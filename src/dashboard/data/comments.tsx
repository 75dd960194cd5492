// Comments on the data page: of all tasks, or of one.
import { type CollectionTab, listInWorkspace, requireFields, shorten } from './collection.ts';
import { makeColumns, makeInputs } from './derived.tsx';

/** Longer bodies are cut on the page. */
const MAX_COMMENT_CHARACTERS = 20_000;

export const comments: CollectionTab<'comments'> = {
  name: 'comments',
  says: 'People write them in the app of the service. The API only reads them.',
  empty: {
    says: 'Write one above, or with the control API:',
    curl: ({ url, base }) =>
      `curl -X POST "${url.origin}${base}/_mock/data/comments" -H "Content-Type: application/json" -d '{"task_id":"<task_id>","author_id":"<user_id>","body":"Hello"}'`,
  },
  operation: 'listTaskComments',
  columns: makeColumns('comments', ['body', 'author_id', 'task_id', 'created_at'], ['id'], {
    body: { label: 'Comment' },
    task_id: {
      cell: ({ task_id }, context) => (
        <a href={context.href('/dashboard/data/tasks', { workspace: context.workspace.id, id: task_id })}>
          {shorten(context.world.store.tasks.get(task_id)?.value.title ?? task_id, 40)}
        </a>
      ),
    },
    created_at: { label: 'Written' },
  }),
  list: (context, query) => listInWorkspace(context, 'comments', 'listTaskComments', query, context.queries('task_id')),
  fields: (context) =>
    makeInputs('comments', context, ['task_id', 'author_id', 'body'], {
      task_id: { start: context.query('task_id') ?? '', needed: true },
      body: { label: 'Comment', lines: 3, wide: true },
    }),
  more: ({ body }) => <p class="prose">{shorten(body, MAX_COMMENT_CHARACTERS)}</p>,
  create: {
    label: 'New comment',
    run: async (context, body) => {
      requireFields(comments.fields(context), body);
      const { id } = await context.call('createCommentRecord', { body });
      return { says: `${id} is written.` };
    },
  },
  remove: {
    says: 'Comments have no event: nobody is told.',
    run: async (context, { id }) => {
      await context.call('deleteCommentRecord', { variable: id });
      return { says: `${id} is deleted.` };
    },
  },
};
