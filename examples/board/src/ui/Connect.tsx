// Asks for the address of the API and a key, when there is none or the one there is was refused.
import type { FormEvent } from 'react';
import { type Connection, reconnect } from '../connection';
import { Mark } from './icons';

export const Connect = ({ connection, refusal }: { connection?: Connection | undefined; refusal?: string | undefined }) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name)).trim();
    reconnect({ api: text('api').replace(/\/+$/, ''), key: text('key') });
  };
  return (
    <main className="connect">
      <form onSubmit={submit}>
        <Mark />
        <h1>Connect the board</h1>
        <p>It works with any service that speaks the Work-Management API: a mock on this machine, staging, the real one.</p>
        {refusal && (
          <p className="refusal" role="alert">
            {refusal}
          </p>
        )}
        <label>
          <span>Base URL</span>
          <input name="api" type="url" required defaultValue={connection?.api ?? 'http://127.0.0.1:4700/v1'} />
        </label>
        <label>
          <span>API key</span>
          <input name="key" required autoComplete="off" spellCheck={false} placeholder="A key with the scope write" />
        </label>
        <button type="submit" className="primary">
          Connect
        </button>
      </form>
    </main>
  );
};
