// Where the page begins: connect, then draw.
import '@fontsource-variable/inter';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ApiContext, connect } from './api';
import { readConnection } from './connection';
import { settings } from './data';
import './ui/base.css';
import './ui/board.css';
import './ui/parts.css';
import { App } from './ui/App';
import { Connect } from './ui/Connect';

const connection = readConnection();

createRoot(document.getElementById('root')!).render(
  connection ? (
    <ApiContext value={connect(connection)}>
      <QueryClientProvider client={new QueryClient(settings)}>
        <App connection={connection} />
      </QueryClientProvider>
    </ApiContext>
  ) : (
    <Connect />
  ),
);
