// The forms of the data page: a new record, and the open one.
import type { Context } from '../context.ts';
import { Confirm, Do, Field, Form, Hidden } from '../fields.tsx';
import type { FormState } from '../form.ts';
import { Card, Mono } from '../parts.tsx';
import type { Collection, FieldOf } from './collection.ts';

type Known = Readonly<Record<string, unknown>> & { readonly id: string };

const textOf = (value: unknown): string | readonly string[] => (Array.isArray(value) ? value.map(String) : String(value ?? ''));

const Fields = ({
  form,
  fields,
  record,
  scope,
}: {
  form: FormState;
  fields: readonly FieldOf[];
  record?: Known;
  scope: string;
}) => (
  <div class="fields">
    {fields.map(({ start = '', ...field }) => (
      <Field {...field} form={form} scope={scope} value={record ? textOf(record[field.name]) : start} />
    ))}
  </div>
);

/** The form of a new record. */
export const New = ({ context, collection }: { context: Context; collection: Collection }) => {
  const form = context.form('create');
  const fields = collection.fields(context);
  return (
    <Card title={collection.create!.label} id="new">
      <Form context={context} label={collection.create!.label}>
        <div class="stack">
          <Fields form={form} fields={fields} scope="new" />
          <div class="submit">
            <Do action="create" kind="primary">
              {collection.create!.label}
            </Do>
            <a class="button quiet" href={context.here({ new: undefined })}>
              Cancel
            </a>
          </div>
        </div>
      </Form>
    </Card>
  );
};

/** An open record: its form, what else there is to see, and the way to delete it. */
export const Open = ({ context, collection, record }: { context: Context; collection: Collection; record: Known }) => {
  const form = context.form('update');
  const fields = collection.fields(context, record as never);
  const more = collection.more?.(record as never, context);
  return (
    <div class="stack">
      <p class="row">
        <Mono text={record.id} copy="Copy the id" />
      </p>
      {fields.length > 0 ? (
        <Form context={context} label={`Edit ${record.id}`}>
          <div class="stack">
            <Hidden values={{ id: record.id }} />
            <Fields form={form} fields={fields} record={record} scope="edit" />
            <div class="submit">
              <Do action="update" kind="primary">
                Save
              </Do>
              <a class="button quiet" href={context.here({ open: undefined, id: undefined })}>
                Close
              </a>
            </div>
          </div>
        </Form>
      ) : null}
      {more}
      {collection.remove || fields.length === 0 ? (
        <div class="row">
          {collection.remove ? (
            <Confirm
              ask={`Delete this ${collection.one}…`}
              says={`It is gone for good. ${collection.remove.says}`}
              context={context}
              action="delete"
              hidden={{ id: record.id }}
              button={`Delete this ${collection.one}`}
            />
          ) : null}
          {fields.length === 0 ? (
            <a class="button quiet" href={context.here({ open: undefined, id: undefined })}>
              Close
            </a>
          ) : null}
        </div>
      ) : null}
    </div>
  );
};
