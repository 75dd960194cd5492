// Forms: fields with their labels, hints and issues, the buttons that send them, and the question before something is lost.
import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Context } from './context.ts';
import type { FormState } from './form.ts';
import { LinkButton } from './parts.tsx';

/** A form that posts to the page itself. Its action is told by the name of the button that sends it. */
export const Form = ({
  context,
  children,
  label,
  inline = false,
}: PropsWithChildren<{ context: Context; label?: string; inline?: boolean }>) => (
  <form method="post" action={context.here()} class={inline ? 'inline' : undefined} aria-label={label}>
    {children}
  </form>
);

interface DoProps {
  readonly action: string;
  readonly says: Child;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly small?: boolean;
  /** Its name, where what it says is not enough. */
  readonly label?: string;
}

/** Sends its form to an action. */
export const Do = ({ action, says, kind = 'plain', small = false, label }: DoProps) => (
  <button type="submit" name="do" value={action} class={`button ${kind}${small ? ' small' : ''}`} aria-label={label}>
    {says}
  </button>
);

/** Asks once more before something is lost; works without scripts. */
export const Confirm = (props: {
  context: Context;
  ask: Child;
  says: Child;
  action: string;
  button: string;
  hidden?: Readonly<Record<string, string>>;
  small?: boolean;
}) => (
  <details class="confirm">
    <summary class={`button quiet-danger${props.small ? ' small' : ''}`}>{props.ask}</summary>
    <Form context={props.context} inline>
      <Hidden values={props.hidden ?? {}} />
      <span class="muted">{props.says}</span>
      <Do action={props.action} kind="danger" small={props.small ?? false} says={props.button} />
    </Form>
  </details>
);

export const Hidden = ({ values }: { values: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

/** What a select offers. */
export type Options = readonly (string | readonly [value: string, label: string])[];

/** A field as a row of its form. */
export interface FieldRow {
  readonly name: string;
  readonly label: string;
  /** What it holds before anybody types. */
  readonly value?: string | readonly string[] | null | undefined;
  readonly hint?: Child;
  readonly options?: Options;
  readonly lines?: number;
  readonly type?: string;
  /** A select that sends its form as soon as something is chosen. */
  readonly submits?: boolean;
  /** The field that the key / leads to. */
  readonly searches?: boolean;
  readonly step?: string;
  readonly placeholder?: string;
  /** Takes the whole width of its form. */
  readonly wide?: boolean;
  /** Takes what is left in a bar. */
  readonly grow?: boolean;
  readonly wider?: boolean;
  readonly multiple?: boolean;
  /** Tells the same field of two forms apart. */
  readonly scope?: string | undefined;
}

interface FieldProps extends FieldRow {
  readonly form: FormState;
}

/** What was chosen and is not offered: somebody who has left, or a mistake. */
const missing = (given: readonly string[], options: Options): readonly string[] => {
  const offered = new Set(options.map((option) => (typeof option === 'string' ? option : option[0])));
  return given.filter((value) => value !== '' && !offered.has(value));
};

/** A labelled field with its hint and, after a refusal, what is wrong with it. */
export const Field = (props: FieldProps) => {
  const { form, name, label, hint, options, lines, wide = false } = props;
  const id = `${props.scope ?? form.action}-${name}`;
  const issue = form.issue(name);
  const about = [hint ? `${id}-hint` : '', issue ? `${id}-issue` : ''].filter(Boolean).join(' ');
  const given = form.values(name)?.length ? form.values(name)! : form.failed ? [] : [props.value ?? ''].flat();
  const common = {
    id,
    name,
    'data-submit': props.submits ? '' : undefined,
    'data-search': props.searches ? '' : undefined,
    'aria-describedby': about || undefined,
    'aria-invalid': issue ? ('true' as const) : undefined,
  };
  return (
    <div class={`field${wide ? ' wide' : ''}${props.grow ? ' grow' : ''}${props.wider ? ' wider' : ''}${issue ? ' wrong' : ''}`}>
      <label for={id}>{label}</label>
      {options ? (
        <select
          {...common}
          multiple={props.multiple}
          size={props.multiple ? Math.min(6, Math.max(2, options.length)) : undefined}
        >
          {missing(given, options).map((value) => (
            <option value={value} selected>
              {value}
            </option>
          ))}
          {options.map((option) => {
            const [value, says] = typeof option === 'string' ? [option, option] : option;
            return (
              <option value={value} selected={given.includes(value)}>
                {says}
              </option>
            );
          })}
        </select>
      ) : lines ? (
        <textarea {...common} rows={lines} placeholder={props.placeholder}>
          {given[0] ?? ''}
        </textarea>
      ) : (
        <input
          {...common}
          type={props.type ?? 'text'}
          step={props.step}
          value={given[0] ?? ''}
          placeholder={props.placeholder}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {issue ? (
        <p class="issue" id={`${id}-issue`}>
          {label} {issue}.
        </p>
      ) : null}
    </div>
  );
};

interface FieldsProps {
  readonly form: FormState;
  readonly fields: readonly FieldRow[];
}

/** The fields of a form, one after the other. */
export const Fields = ({ form, fields }: FieldsProps) => (
  <>
    {fields.map((field) => (
      <Field {...field} form={form} />
    ))}
  </>
);

/** The end of a form of several lines: its button, and the way out of it, if there is one. */
export const Submit = ({ leave, ...button }: DoProps & { leave?: readonly [to: string, label: string] }) => (
  <div class="submit">
    <Do kind="primary" {...button} />
    {leave ? <LinkButton to={leave[0]} says={leave[1]} kind="quiet" /> : null}
  </div>
);

interface BarFormProps extends Pick<DoProps, 'action' | 'says' | 'kind'> {
  readonly context: Context;
  /** Where it is not the one form of its action. */
  readonly form?: FormState;
  readonly label: string;
  readonly fields: readonly FieldRow[];
  readonly hidden?: Readonly<Record<string, string>>;
  readonly hint?: Child;
}

/** A form in one line: its fields, what else it asks, and its button; a hint below. */
export const BarForm = ({ context, action, says, kind = 'plain', hint, children, ...props }: PropsWithChildren<BarFormProps>) => (
  <Form context={context} label={props.label}>
    <div class="stack">
      <Hidden values={props.hidden ?? {}} />
      <div class="bar">
        <Fields form={props.form ?? context.form(action)} fields={props.fields} />
        {children}
        <Do action={action} kind={kind} says={says} />
      </div>
      {hint ? <p class="hint">{hint}</p> : null}
    </div>
  </Form>
);

interface FiltersProps {
  readonly context: Context;
  readonly label: string;
  readonly fields: readonly FieldRow[];
  /** Parameters of the address that the filters keep. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Whether something else narrows the list, which Clear gives up too. */
  readonly narrowed?: boolean;
}

/** Filters that stand in the address, so that a link can hold them. A select applies itself, where scripts run. */
export const Filters = ({ context, label, fields, kept = {}, narrowed = false }: FiltersProps) => {
  const { workspace } = kept;
  const shown = fields.map((field) => ({
    ...field,
    value: context.query(field.name) ?? '',
    submits: field.options !== undefined,
  }));
  return (
    <form method="get" action={context.href(context.asked.path)} class="bar" aria-label={label}>
      <Hidden values={kept} />
      <Fields form={context.form('filter')} fields={shown} />
      <button type="submit" class={`button${fields.every(({ options }) => options) ? ' nojs' : ''}`}>
        Apply
      </button>
      {narrowed || shown.some(({ value }) => value) ? (
        <LinkButton to={context.href(context.asked.path, { workspace })} says="Clear" kind="quiet" />
      ) : null}
    </form>
  );
};
