// What went wrong and what can be done: refused changes, and the pause that a rate limit asks for.
import { useEffect, useState } from 'react';
import { gate, open } from '../gate';
import { dismiss, notices } from '../notices';
import { Cross, Warning } from './icons';

/** Seconds until a moment, counted down. */
const useSecondsUntil = (until: number): number => {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - Date.now()) / 1000));
};

const Countdown = ({ until }: { until: number }) => {
  const seconds = useSecondsUntil(until);
  return (
    <span role="timer" aria-live="off">
      {seconds} s
    </span>
  );
};

export const Pause = () => {
  const { until, limit } = gate.use();
  if (until === undefined) return null;
  return (
    <section className="pause" aria-label="Rate limit">
      <p role="status">
        <strong>Rate limit reached.</strong> {limit && `The plan allows ${limit} requests a minute. `}
        Trying again at {new Date(until).toLocaleTimeString('en', { timeStyle: 'medium' })}; your changes wait until then.
      </p>
      <Countdown until={until} />
      <button type="button" onClick={open}>
        Try now
      </button>
    </section>
  );
};

export const Notices = () => (
  <div className="notices" role="alert">
    {notices.use().map(({ id, text, reason, again }) => (
      <div className="notice" key={id}>
        <Warning />
        <p>
          <strong>{text}</strong> {reason}
        </p>
        <button
          type="button"
          onClick={() => {
            dismiss(id);
            again();
          }}
        >
          Try again
        </button>
        <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Cross />
        </button>
      </div>
    ))}
  </div>
);
