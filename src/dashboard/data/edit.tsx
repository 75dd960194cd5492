// The forms of the data page: a new record, and the open one.
import type { Context } from '../context.ts';
import { Confirm, type FieldRow, Fields, Form, Submit } from '../fields.tsx';
import { Card, LinkButton, Mono } from '../parts.tsx';
import { type Collection, editable, type FieldOf, oneOf } from './collection.ts';

type Known = Readonly<Record<string, unknown>> & { readonly id: string };

const textOf = (value: unknown): string | readonly string[] => (Array.isArray(value) ? value.map(String) : String(value ?? ''));

const rowsOf = (fields: readonly FieldOf[], scope: string, record?: Known): readonly FieldRow[] =>
  fields.map(({ start = '', ...field }) => ({ ...field, scope, value: record ? textOf(record[field.name]) : start }));

/** The form of a new record. */
export const New = ({ context, collection }: { context: Context; collection: Collection }) => {
  const { label } = collection.create;
  return (
    <Card title={label} id="new">
      <Form context={context} label={label}>
        <div class="stack">
          <div class="fields">
            <Fields form={context.form('create')} fields={rowsOf(collection.fields(context), 'new')} />
          </div>
          <Submit action="create" says={label} leave={[context.here({ new: undefined }), 'Cancel']} />
        </div>
      </Form>
    </Card>
  );
};

/** An open record: its form, what else there is to see, and the way to delete it. */
export const Open = ({ context, collection, record }: { context: Context; collection: Collection; record: Known }) => {
  const fields = editable(collection, context);
  return (
    <div class="stack">
      <p class="row">
        <Mono text={record.id} copy="Copy the id" />
      </p>
      {fields.length === 0 ? null : (
        <Form context={context} label={`Edit ${record.id}`} hidden={{ id: record.id }}>
          <div class="stack">
            <div class="fields">
              <Fields form={context.form('update')} fields={rowsOf(fields, 'edit', record)} />
            </div>
            <Submit action="update" says="Save" />
          </div>
        </Form>
      )}
      {collection.more?.(record as never, context)}
      <div class="row">
        {collection.remove ? (
          <Confirm
            ask={`Delete this ${oneOf(collection.name)}…`}
            says={`It is gone for good. ${collection.remove.says}`}
            context={context}
            action="delete"
            hidden={{ id: record.id }}
            button={`Delete this ${oneOf(collection.name)}`}
          />
        ) : null}
        <LinkButton to={context.href('/dashboard/timeline', { record: record.id })} says="Timeline" kind="quiet" />
        <LinkButton to={context.here({ open: undefined, id: undefined })} says="Close" kind="quiet" />
      </div>
    </div>
  );
};
