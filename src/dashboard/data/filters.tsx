// The filters of the data page, and the workspace that it shows.
import type { Context } from '../context.ts';
import { Field } from '../fields.tsx';
import type { Collection } from './collection.ts';

/** The filters of a collection; a link can hold them, for they stand in the address. */
export const Filters = ({ context, collection }: { context: Context; collection: Collection }) => {
  const kept = ['sort', 'limit', 'task_id'].flatMap((name) => {
    const value = context.query(name);
    return value ? [[name, value] as const] : [];
  });
  const filters = collection.filters(context);
  const set = filters.some(({ field }) => context.query(`filter[${field}]`)) || context.query('id') || context.query('task_id');
  const form = context.form('filter');
  return (
    <form method="get" action={context.href(context.path)} class="bar" aria-label={`Filter ${collection.name}`}>
      <Hidden name="workspace" value={context.workspace.id} />
      {kept.map(([name, value]) => (
        <Hidden name={name} value={value} />
      ))}
      {filters.map(({ field, label, options }) => (
        <Field
          form={form}
          name={`filter[${field}]`}
          label={label}
          value={context.query(`filter[${field}]`) ?? ''}
          {...(options.length > 0
            ? { options: [['', 'any'] as const, ...options], submits: true }
            : { placeholder: 'any: type an id' })}
        />
      ))}
      <Field
        form={form}
        name="id"
        label={`Find a ${collection.one} by id`}
        value={context.query('id') ?? ''}
        searches
        wider
        placeholder="Press / to type"
      />
      <button type="submit" class="button">
        Apply
      </button>
      {set ? (
        <a class="button quiet" href={context.href(context.path, { workspace: context.workspace.id })}>
          Clear
        </a>
      ) : null}
    </form>
  );
};

const Hidden = ({ name, value }: { name: string; value: string }) => <input type="hidden" name={name} value={value} />;

/** Chooses the workspace; the first is shown unless another is asked for. */
export const Workspaces = ({ context }: { context: Context }) => {
  const options = [...context.world.workspaces.values()].map(({ id, name }) => [id, name] as const);
  return (
    <form method="get" action={context.href(context.path)} class="row" aria-label="Workspace">
      <label for="workspace">Workspace</label>
      <select id="workspace" name="workspace" class="narrow" data-submit="">
        {options.map(([id, name]) => (
          <option value={id} selected={id === context.workspace.id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" class="button nojs">
        Show
      </button>
    </form>
  );
};
