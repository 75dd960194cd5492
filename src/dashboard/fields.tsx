// Forms: fields with their labels, hints and issues, the buttons that send them, and the question before something is lost.
import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Context } from './context.ts';
import type { FormState } from './form.ts';
import { buttonClass, LinkButton, Muted } from './parts.tsx';

export interface FormProps {
  readonly context: Context;
  readonly label?: string | undefined;
  readonly kind?: string;
  readonly hidden?: HiddenValues | undefined;
  /** Path of another page, whose action it is: it leads back here. */
  readonly to?: string;
  /** Sent in place, where scripts run. */
  readonly quick?: boolean;
  /** An id: it is drawn again when something happens. */
  readonly live?: string;
}

/** Posts to the page itself, unless told otherwise: its button names the action. */
export const PageForm = ({ context, children, label, kind, hidden, to, quick, live }: PropsWithChildren<FormProps>) => (
  <form
    method="post"
    action={to === undefined ? context.here() : context.href(to)}
    class={kind}
    data-quick={quick ? '' : undefined}
    aria-label={label}
    id={live}
    data-live={live ? '' : undefined}
  >
    <HiddenFields values={to === undefined ? hidden : { ...hidden, back: context.here() }} />
    {children}
  </form>
);

export interface DoProps {
  readonly action: string;
  readonly says: Child;
  readonly kind?: 'primary' | 'danger' | 'quiet' | undefined;
  readonly small?: boolean | undefined;
  readonly label?: string;
}

export const ActionButton = ({ action, says, kind, small, label }: DoProps) => (
  <button type="submit" name="do" value={action} class={buttonClass(kind, small)} aria-label={label}>
    {says}
  </button>
);

interface ConfirmProps extends Pick<FormProps, 'context' | 'hidden'>, Pick<DoProps, 'action' | 'small'> {
  readonly ask: Child;
  readonly button: string;
}

/** Asks once more before something is lost; works without scripts. */
export const Confirm = ({ context, ask, children, action, button, hidden, small }: PropsWithChildren<ConfirmProps>) => (
  <details class="confirm">
    <summary class={buttonClass('quiet-danger', small)}>{ask}</summary>
    <PageForm context={context} kind="inline" hidden={hidden}>
      <Muted>{children}</Muted>
      <ActionButton action={action} kind="danger" small={small} says={button} />
    </PageForm>
  </details>
);

type HiddenValues = Readonly<Record<string, string | undefined>>;

const HiddenFields = ({ values = {} }: { values?: HiddenValues | undefined }) =>
  Object.entries(values).map(([name, value]) => (value ? <input type="hidden" name={name} value={value} /> : null));

export type SelectOptions = readonly (string | readonly [value: string, label: string])[];

export interface FieldRow {
  readonly name: string;
  readonly label: string;
  readonly value?: string | readonly string[] | null | undefined;
  readonly hint?: Child;
  readonly options?: SelectOptions;
  readonly lines?: number;
  readonly type?: string | undefined;
  /** A select that sends its form at once. */
  readonly submits?: boolean;
  readonly searches?: boolean;
  readonly step?: string;
  readonly placeholder?: string;
  /** Classes: `wide`, `wider`, `grow`. */
  readonly width?: string;
  readonly multiple?: boolean;
  readonly autofocus?: boolean | undefined;
  /** Tells the same field of two forms apart. */
  readonly scope?: string | undefined;
}

interface ControlProps extends FieldRow {
  readonly common: Readonly<Record<string, string | undefined>>;
  readonly given: readonly string[];
}

const Control = ({ common, given, options, multiple, lines, placeholder, type = 'text', step }: ControlProps) => {
  const [value = ''] = given;
  if (lines) {
    return (
      <textarea {...common} rows={lines} placeholder={placeholder}>
        {value}
      </textarea>
    );
  }
  if (!options) return <input {...common} type={type} step={step} value={value} placeholder={placeholder} {...UNCORRECTED} />;
  const offered = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option));
  // A member who has left, or a mistake.
  const unoffered = given.filter((one) => one !== '' && !offered.some(([value]) => value === one));
  return (
    <select {...common} multiple={multiple} size={multiple ? Math.min(6, Math.max(2, options.length)) : undefined}>
      {[...unoffered.map((one) => [one, one] as const), ...offered].map(([value, says]) => (
        <option value={value} selected={given.includes(value)}>
          {says}
        </option>
      ))}
    </select>
  );
};

const UNCORRECTED = { autocomplete: 'off', spellcheck: false } as const;

/** A labelled field with its hint and, after a refusal, what is wrong with it. */
export const FormField = ({ form, ...field }: FieldRow & { form: FormState }) => {
  const { value, scope, hint, submits, searches, width, autofocus, ...row } = field;
  const { name, label, type = searches ? 'search' : undefined } = row;
  const id = `${scope ?? form.action}-${name}`;
  const issue = form.issue(name);
  const remarks = Object.entries({ hint, issue: issue && `${label} ${issue}.` }).filter(([, says]) => says);
  const given = form.values(name)?.length ? form.values(name)! : form.failed ? [] : [value ?? ''].flat();
  const common = {
    id,
    name,
    'data-submit': submits ? '' : undefined,
    'data-search': searches ? '' : undefined,
    autofocus: autofocus ? '' : undefined,
    'aria-describedby': remarks.map(([kind]) => `${id}-${kind}`).join(' ') || undefined,
    'aria-invalid': issue ? ('true' as const) : undefined,
  };
  return (
    <div class={['field', width, issue && 'wrong'].filter(Boolean).join(' ')}>
      <label for={id}>{label}</label>
      <Control {...row} type={type} common={common} given={given} />
      {remarks.map(([kind, says]) => (
        <p class={kind} id={`${id}-${kind}`}>
          {says}
        </p>
      ))}
    </div>
  );
};

export const FormFields = ({ form, fields }: { form: FormState; fields: readonly FieldRow[] }) =>
  fields.map((field) => <FormField {...field} form={form} />);

export const SubmitRow = ({ leave, ...button }: DoProps & Pick<FieldsFormProps, 'leave'>) => (
  <div class="submit">
    <ActionButton kind="primary" {...button} />
    {leave ? <LinkButton to={leave[0]} says={leave[1]} kind="quiet" /> : null}
  </div>
);

interface FieldsFormProps extends FormProps, Pick<DoProps, 'action' | 'says'> {
  readonly fields: readonly FieldRow[];
  /** Leads away from a form that was asked for: its first field has the focus. */
  readonly leave?: readonly [to: string, label: string] | undefined;
}

/** Fields in columns above their button. */
export const FieldsForm = ({ fields, action, says, leave, ...form }: FieldsFormProps) => (
  <PageForm {...form}>
    <div class="fields">
      <FormFields form={form.context.form(action)} fields={fields.map((one, i) => ({ ...one, autofocus: leave && i === 0 }))} />
      <SubmitRow action={action} says={says} leave={leave} />
    </div>
  </PageForm>
);

interface BarFormProps extends PropsWithChildren, Omit<FormProps, 'kind'>, Pick<DoProps, 'action' | 'says' | 'kind'> {
  readonly form?: FormState;
  readonly fields?: readonly FieldRow[];
}

/** Fields in a line with their button, which names the form as well. */
export const BarForm = ({ action, says, kind, fields = [], children, form, ...props }: BarFormProps) => (
  <PageForm label={`${says}`} {...props}>
    <div class="bar">
      <FormFields form={form ?? props.context.form(action)} fields={fields} />
      {children}
      <ActionButton action={action} kind={kind} says={says} />
    </div>
  </PageForm>
);

export const offerAny = (options: SelectOptions): SelectOptions => [['', 'any'], ...options];

interface FiltersProps {
  readonly context: Context;
  readonly label: string;
  /** One with a value of its own is no filter: Clear leaves it alone. */
  readonly fields: readonly FieldRow[];
  readonly says?: string;
  /** Parameters of the address that stay. */
  readonly kept?: HiddenValues;
  /** Something else narrows the list, and Clear removes it too. */
  readonly narrowed?: boolean;
}

/** Fields that the address keeps. A select applies itself, where scripts run. */
export const FilterForm = ({ context, label, fields, says = 'Apply', kept = {}, narrowed = false }: FiltersProps) => {
  const given = ({ name, value }: FieldRow) => value ?? context.query(name);
  const shown = fields.map((field) => ({ ...field, value: given(field), submits: field.options !== undefined }));
  const selects = fields.filter(({ options }) => options).length;
  const applies = fields.every(({ options, searches }) => options || searches);
  return (
    <form method="get" action={context.href(context.asked.path)} class="bar" aria-label={label}>
      <HiddenFields values={kept} />
      {selects > 1 && selects < fields.length ? (
        <label class="button narrow">
          <input type="checkbox" /> Filters
        </label>
      ) : null}
      <FormFields form={context.form('filter')} fields={shown} />
      <button type="submit" class={`button${applies ? ' nojs' : ''}`}>
        {says}
      </button>
      {narrowed || fields.some((field) => !field.value && given(field)) ? (
        <LinkButton to={context.href(context.asked.path, { workspace: kept.workspace })} says="Clear" kind="quiet" />
      ) : null}
    </form>
  );
};

export const workspaceField = ({ world, workspace }: Context): FieldRow => {
  const options = [...world.workspaces.values()].map(({ id, name }) => [id, name] as const);
  return { name: 'workspace', label: 'Workspace', value: workspace.id, options };
};

export const WorkspaceChooser = ({ context }: { context: Context }) =>
  context.world.workspaces.size > 1 ? (
    <FilterForm context={context} label="Workspace" fields={[workspaceField(context)]} says="Show" />
  ) : null;
