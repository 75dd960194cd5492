// Where the page begins: connect, then draw.
import '@fontsource-variable/inter';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ApiContext, connect } from './api';
import { readConnection } from './connection';
import { settings } from './data';
import { inboxEvents } from './live';
import { App } from './ui/App';
import { Connect } from './ui/Connect';
import './ui/base.css';
import './ui/bar.css';
import './ui/board.css';
import './ui/signs.css';
import './ui/messages.css';
import './ui/form.css';

const start = async () => {
  if (import.meta.env.MODE === 'demo') return (await import('./demo')).startDemo();
  const connection = readConnection();
  return { connection, events: connection?.inbox ? inboxEvents(connection.inbox) : undefined };
};

const { connection, events } = await start();

createRoot(document.getElementById('root')!).render(
  connection ? (
    <ApiContext value={connect(connection)}>
      <QueryClientProvider client={new QueryClient(settings)}>
        <App connection={connection} events={events} />
      </QueryClientProvider>
    </ApiContext>
  ) : (
    <Connect />
  ),
);
