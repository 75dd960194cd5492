// The parts that pages are made of: cards, tables, chips, times, code to copy, empty states. Every page uses these and those of fields.tsx.
import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Context } from './context.ts';
import { Icon } from './icons.tsx';
import { distance, plainTime } from './times.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info' | 'refused';

/** The head of a page: its title, one line of what it shows, and what can be done. */
export const PageHead = ({ title, says, children }: PropsWithChildren<{ title: Child; says?: Child }>) => (
  <div class="page-head" id="head" data-live="">
    <div>
      <h1>{title}</h1>
      {says ? <p class="lead">{says}</p> : null}
    </div>
    {children ? <div class="actions">{children}</div> : null}
  </div>
);

/** A bordered part of a page with a heading. @param live an id: the part is drawn again when something happens */
export const Card = (
  props: PropsWithChildren<{ title?: Child; says?: Child; side?: Child; live?: string; flush?: boolean; id?: string }>,
) => (
  <section class={`card${props.flush ? ' flush' : ''}`} id={props.live ?? props.id} data-live={props.live ? '' : undefined}>
    {props.title ? (
      <header class="card-head">
        <div>
          <h2>{props.title}</h2>
          {props.says ? <p class="muted">{props.says}</p> : null}
        </div>
        {props.side ? <div class="actions">{props.side}</div> : null}
      </header>
    ) : null}
    <div class="card-body">{props.children}</div>
  </section>
);

export const Chip = ({ tone = 'plain', children }: PropsWithChildren<{ tone?: Tone | undefined }>) => (
  <span class={`chip ${tone}`}>{children}</span>
);

/** What matters less than what it stands beside. */
export const Muted = ({ children }: PropsWithChildren) => <span class="muted">{children}</span>;

/** A link that stands out by its place alone. */
export const Link = ({ to, says, kind = 'link' }: { to: string; says: Child; kind?: string | undefined }) => (
  <a class={kind} href={to}>
    {says}
  </a>
);

interface LinkButtonProps {
  readonly to: string;
  readonly says: Child;
  readonly kind?: 'primary' | 'quiet';
  readonly small?: boolean;
  readonly icon?: string;
  /** The name of the file that it saves. */
  readonly download?: string;
}

export const buttonClass = (kind?: string, small?: boolean): string =>
  ['button', kind, small && 'small'].filter(Boolean).join(' ');

/** A link that looks like a button. */
export const LinkButton = ({ to, says, kind, small, icon, download }: LinkButtonProps) => (
  <a class={buttonClass(kind, small)} href={to} download={download}>
    {icon ? <Icon name={icon} /> : null}
    {says}
  </a>
);

/** What was not done, or cannot be shown, and why. */
export const RefusedNotice = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <div class="notice bad" role="alert">
    <p class="strong">{title}</p>
    {lines.map((line) => (
      <p>{line}</p>
    ))}
  </div>
);

/** Names and what they are, in pairs. */
export const Facts = (props: { of: readonly (readonly [name: Child, is: Child, kind?: string])[]; kind?: string }) => (
  <dl class={props.kind ?? 'facts'}>
    {props.of.map(([name, is, kind]) => (
      <>
        <dt>{name}</dt>
        <dd class={kind}>{is}</dd>
      </>
    ))}
  </dl>
);

/** What stands where nothing is yet: why, and what to do about it. @param curl a line that changes that */
export const Empty = ({ title, curl, children }: PropsWithChildren<{ title: string; curl?: string }>) => (
  <div class="empty">
    <p class="strong">{title}</p>
    <p class="muted">{children}</p>
    {curl ? <Code text={curl} label="Copy the line" /> : null}
  </div>
);

/** Below a part of a list: how many there are besides. */
export const RestCount = ({ of, shown, says = 'more.' }: { of: number; shown: number; says?: string }) =>
  of > shown ? <p class="muted">{`And ${formatNumber(of - shown)} ${says}`}</p> : null;

/** Copies a text; there only where scripts run. */
export const Copy = ({ text, label }: { text: string; label: string }) => (
  <button type="button" class="copy" data-copy={text} aria-label={label} title={label}>
    <Icon name="copy" />
  </button>
);

/** Text to be copied as it stands. @param wrap its long lines go on below instead of to the side */
export const Code = ({ text, label, language, wrap }: { text: string; label: string; language?: string; wrap?: boolean }) => (
  <div class={`code${wrap ? ' wrap' : ''}`}>
    {language ? <span class="code-name">{language}</span> : null}
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
    <Copy text={text} label={label} />
  </div>
);

/** An id, key or address in one line, with its copy button. */
export const Mono = ({ text, copy }: { text: string; copy?: boolean | string }) => (
  <span class="mono">
    <span>{text}</span>
    {copy ? <Copy text={text} label={typeof copy === 'string' ? copy : `Copy ${text.slice(0, 60)}`} /> : null}
  </span>
);

/** `1,234`. */
export const formatNumber = (number: number): string => number.toLocaleString('en');

/** `1 delivery`, `1,234 deliveries`. */
export const countWords = (number: number, one: string): string => `${formatNumber(number)} ${pluralize(number, one)}`;

/** The same without the number. */
export const pluralize = (number: number, one: string): string => (number === 1 ? one : `${one}s`.replace(/ys$/, 'ies'));

/** A moment by its distance from now, in full where one looks closer. @param at milliseconds since 1970, or ISO 8601; undefined: never */
export const RelativeTime = ({ at, context }: { at: string | number | undefined; context: Context }) => {
  if (at === undefined) return <Muted>never</Muted>;
  const moment = new Date(at).getTime();
  return (
    <time datetime={new Date(moment).toISOString()} title={`${plainTime(moment)} UTC`}>
      {distance(moment, context.world.clock.now())}
    </time>
  );
};

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly label: string; readonly to: string; readonly current: boolean; readonly count: number }[];
}

/** Links that switch between parts of a page. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav class="tabs" id="tabs" data-live="" aria-label={label}>
    {tabs.map((tab) => (
      <a href={tab.to} aria-current={tab.current ? 'page' : undefined}>
        {tab.label}
        <span class="count">{formatNumber(tab.count)}</span>
      </a>
    ))}
  </nav>
);
