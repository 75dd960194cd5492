// The parts that pages are made of: cards, chips, icons, times, code to copy, empty states.
import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Context } from './context.ts';
import { distance, exactTime } from './times.ts';

const ICON_PATHS: Readonly<Record<string, string>> = {
  overview: 'M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5',
  data: 'M4 5.5h12v9H4zM4 9h12M4 12h12M8.5 5.5v9',
  requests: 'M4 7h10.5M12 4.5 14.5 7 12 9.5M16 13H5.5M8 10.5 5.5 13 8 15.5',
  webhooks: 'M10 4v6l3.5 3.5M10 17a7 7 0 1 1 7-7',
  clock: 'M10 6v4l2.5 1.5M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14z',
  faults: 'M10 3.5 17.5 16h-15zM10 8v4M10 14v.2',
  choices: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.4 1.4M13.6 13.6 15 15M5 15l1.4-1.4M13.6 6.4 15 5',
  timeline: 'M6 3.5v13M6 6h9M6 10h6M6 14h8',
  docs: 'M5 3.5h7l3 3v10H5zM12 3.5v3h3M7.5 10h5M7.5 13h5',
  find: 'M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12.6 12.6 16.5 16.5',
  copy: 'M7.5 7.5h8v8h-8zM4.5 12.5v-8h8',
  world: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c2.5 2 2.5 12 0 14M10 3c-2.5 2-2.5 12 0 14',
  plus: 'M10 4.5v11M4.5 10h11',
  run: 'M7 5.5v9l7-4.5z',
  freeze: 'M7.5 5.5v9M12.5 5.5v9',
  down: 'M6 8l4 4 4-4',
  right: 'M8 5.5 12.5 10 8 14.5',
};

export const Icon = ({ name }: { readonly name: string }) => (
  <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
    <path d={ICON_PATHS[name] ?? ICON_PATHS.right!} />
  </svg>
);

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info' | 'refused';

export interface CardProps extends PropsWithChildren {
  readonly title?: Child;
  readonly says?: Child;
  readonly side?: Child;
  /** An id: the part is drawn again when something happens. */
  readonly live?: string | undefined;
  readonly flush?: boolean;
  readonly id?: string;
}

export const Card = (props: CardProps) => (
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

export const Muted = ({ children }: PropsWithChildren) => <span class="muted">{children}</span>;

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
  readonly download?: string;
}

export const buttonClass = (kind?: string, small?: boolean): string =>
  ['button', kind, small && 'small'].filter(Boolean).join(' ');

export const LinkButton = ({ to, says, kind, small, icon, download }: LinkButtonProps) => (
  <a class={buttonClass(kind, small)} href={to} download={download}>
    {icon ? <Icon name={icon} /> : null}
    {says}
  </a>
);

export const RefusedNotice = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <div class="notice bad" role="alert">
    <p class="strong">{title}</p>
    {lines.map((line) => (
      <p>{line}</p>
    ))}
  </div>
);

export const Facts = (props: { of: readonly (readonly [name: Child, is: Child, kind?: string])[]; kind?: string }) => (
  <dl class={props.kind ?? 'facts'}>{props.of.map(([name, is, kind]) => [<dt>{name}</dt>, <dd class={kind}>{is}</dd>])}</dl>
);

/** Replaces a part without content. @param curl a line of shell that brings the first */
export const Empty = ({ title, curl, children }: PropsWithChildren<{ title: string; curl?: string | undefined }>) => (
  <div class="empty">
    <p class="strong">{title}</p>
    <p class="muted">{children}</p>
    {curl ? <CodeBlock text={curl} label="Copy the line" /> : null}
  </div>
);

export const RestCount = ({ of, shown, says = 'more.' }: { of: number; shown: number; says?: string | undefined }) =>
  of > shown ? <p class="muted">{`And ${formatNumber(of - shown)} ${says}`}</p> : null;

/** @param from id of the element that holds the text */
export const Copy = ({ text, label, from }: { text: string; label: string; from?: string | undefined }) => (
  <button type="button" class="copy" data-copy={from ? '' : text} data-from={from} aria-label={label} title={label}>
    <Icon name="copy" />
  </button>
);

interface CodeProps {
  readonly text: string;
  readonly label: string;
  readonly language?: string;
  readonly wrap?: boolean;
  readonly id?: string;
}

export const CodeBlock = ({ text, label, language, wrap, id }: CodeProps) => (
  <div class={`code${wrap ? ' wrap' : ''}`}>
    {language ? <span class="code-name">{language}</span> : null}
    <pre tabindex={0}>
      <code id={id}>{text}</code>
    </pre>
    <Copy text={text} label={label} from={id} />
  </div>
);

export const Mono = ({ text, copy }: { text: string; copy?: boolean | string }) => (
  <span class="mono">
    <span>{text}</span>
    {copy ? <Copy text={text} label={typeof copy === 'string' ? copy : `Copy ${text.slice(0, 60)}`} /> : null}
  </span>
);

/** `1,234.5`; Intl would take 60 ms and 8 MB at its first number. */
export const formatNumber = (number: number): string =>
  String(Math.round(number * 1000) / 1000).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

/** `1 delivery`, `1,234 deliveries`. */
export const countWords = (number: number, one: string): string => `${formatNumber(number)} ${pluralizeNoun(number, one)}`;

export const pluralizeNoun = (number: number, one: string): string => (number === 1 ? one : `${one}s`.replace(/ys$/, 'ies'));

/** The zone of times: the script of the page writes them in local time where that is chosen. */
export const ZoneName = () => (
  <span class="zone muted" data-zone="">
    UTC
  </span>
);

/** @param from the character of `2025-01-20 09:00:00.000` that comes first; by default it is written to the second */
export const AbsoluteTime = ({ at, from, says }: { at: string | number; from?: number; says?: string }) => {
  const exact = exactTime(new Date(at).getTime());
  return (
    <time datetime={new Date(at).toISOString()} title={`${exact} UTC`}>
      {says ?? exact.slice(from ?? 0, from === undefined ? 19 : 23)}
    </time>
  );
};

/** A moment by its distance from now, in full where one looks closer. @param at undefined: never */
export const RelativeTime = ({ at, context }: { at: string | number | undefined; context: Context }) =>
  at === undefined ? (
    <Muted>never</Muted>
  ) : (
    <AbsoluteTime at={at} says={distance(new Date(at).getTime(), context.world.clock.now())} />
  );

type Tab = { readonly label: string; readonly to: string; readonly current: boolean; readonly count: number };

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav class="tabs" id="tabs" data-live="" aria-label={label}>
    {tabs.map((tab) => (
      <a href={tab.to} aria-current={tab.current ? 'page' : undefined}>
        {tab.label}
        <span class="count">{formatNumber(tab.count)}</span>
      </a>
    ))}
  </nav>
);
