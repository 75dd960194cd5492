// The small pictures: how far a task is, how urgent it is, and what buttons do.
import type { ReactNode } from 'react';

const Icon = ({ children, size = 16 }: { children: ReactNode; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    {children}
  </svg>
);

export const Plus = () => (
  <Icon>
    <path d="M8 3.5v9M3.5 8h9" />
  </Icon>
);
export const Left = () => (
  <Icon>
    <path d="M9.5 4 5.5 8l4 4" />
  </Icon>
);
export const Right = () => (
  <Icon>
    <path d="m6.5 4 4 4-4 4" />
  </Icon>
);
export const Cross = () => (
  <Icon>
    <path d="m4.5 4.5 7 7m0-7-7 7" />
  </Icon>
);
export const Clock = () => (
  <Icon size={12}>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 4.8V8l2.2 1.6" />
  </Icon>
);
export const Warning = () => (
  <Icon>
    <path d="M8 2.2 14.5 13.5h-13zM8 6.5v3M8 11.6v.1" />
  </Icon>
);
export const Mark = () => (
  <svg aria-hidden="true" width="24" height="24" viewBox="0 0 16 16">
    <rect width="16" height="16" rx="4" fill="var(--accent)" />
    <path d="M4.7 4.5v7M8 4.5v4M11.3 4.5V10" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
  </svg>
);

/** How much of the circle is filled. */
const PARTS: Readonly<Record<string, number>> = { in_progress: 0.5, in_review: 0.75 };

export const StatusIcon = ({ status }: { status: string }) => (
  <span className={`status-icon ${status}`}>
    <Icon size={14}>
      <circle cx="8" cy="8" r="6.4" {...(status === 'backlog' && { strokeDasharray: '2.2 2.27' })} />
      {PARTS[status] && (
        <circle
          cx="8"
          cy="8"
          r="2"
          strokeWidth="4"
          strokeLinecap="butt"
          pathLength={1}
          strokeDasharray={`${PARTS[status]} 1`}
          transform="rotate(-90 8 8)"
        />
      )}
      {status === 'done' && (
        <>
          <circle cx="8" cy="8" r="6.4" fill="currentColor" />
          <path d="m5.2 8.2 2 2 3.6-4.2" stroke="var(--surface)" />
        </>
      )}
    </Icon>
  </span>
);

const BARS: Readonly<Record<string, number>> = { low: 1, medium: 2, high: 3 };

export const PriorityIcon = ({ priority }: { priority: string }) => (
  <span className={`priority-icon ${priority}`} role="img" aria-label={`Priority: ${priority}`} title={`Priority: ${priority}`}>
    {BARS[priority] ? (
      [1, 2, 3].map((bar) => <i key={bar} className={bar <= BARS[priority]! ? 'on' : ''} />)
    ) : (
      <b>{priority === 'urgent' ? '!' : '?'}</b>
    )}
  </span>
);

/** A hue of one's own, the same wherever the id appears. */
const hueOf = (id: string) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

export const Dot = ({ id }: { id: string }) => <span className="dot" style={{ '--hue': hueOf(id) } as React.CSSProperties} />;

export const Avatar = ({ id, name }: { id: string; name: string }) => (
  <span className="avatar" role="img" aria-label={name} title={name} style={{ '--hue': hueOf(id) } as React.CSSProperties}>
    {name
      .split(/\s+/)
      .map((word) => word.charAt(0))
      .filter((_, index, all) => index === 0 || index === all.length - 1)
      .join('')}
  </span>
);

export const Spinner = ({ label }: { label: string }) => <span className="spinner" role="status" aria-label={label} />;
