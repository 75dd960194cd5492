// Forms: fields with their labels, hints and issues, the buttons that send them, and the question before something is lost.
import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Context } from './context.ts';
import type { FormState } from './form.ts';

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

/** Sends its form to an action. */
export const Do = ({
  action,
  kind = 'plain',
  small = false,
  children,
  label,
}: PropsWithChildren<{ action: string; kind?: 'plain' | 'primary' | 'danger' | 'quiet'; label?: string; small?: boolean }>) => (
  <button type="submit" name="do" value={action} class={`button ${kind}${small ? ' small' : ''}`} aria-label={label}>
    {children}
  </button>
);

/** Asks once more before something is lost; works without scripts. */
export const Confirm = ({
  ask,
  says,
  context,
  action,
  hidden = {},
  button,
  small = false,
}: {
  ask: Child;
  says: Child;
  context: Context;
  action: string;
  hidden?: Readonly<Record<string, string>>;
  button: string;
  small?: boolean;
}) => (
  <details class="confirm">
    <summary class={`button quiet-danger${small ? ' small' : ''}`}>{ask}</summary>
    <Form context={context} inline>
      <Hidden values={hidden} />
      <span class="muted">{says}</span>
      <Do action={action} kind="danger" small={small}>
        {button}
      </Do>
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

interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  /** What it holds before anybody types. */
  readonly value?: string | readonly string[] | null | undefined;
  readonly hint?: Child;
  readonly options?: readonly (string | readonly [value: string, label: string])[];
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
  readonly scope?: string;
}

/** What was chosen and is not offered: somebody who has left, or a mistake. */
const missing = (given: readonly string[], options: NonNullable<FieldProps['options']>): readonly string[] => {
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
