// Where the API is and which key opens it: remembered, else from the environment, else asked for.
export interface Connection {
  /** Ends in `/v1`. */
  readonly api: string;
  readonly key: string;
  /** URL of the mock's inbox whose messages refresh the board; absent: no live updates. */
  readonly inbox?: string;
}

const PLACE = 'board.connection';

const fromEnvironment = (): Connection | undefined => {
  const { WM_BASE_URL: api, WM_API_KEY_WRITE: key, WM_CONTROL_URL: control } = import.meta.env;
  return api && key ? { api, key, ...(control && { inbox: `${control}/inbox/board` }) } : undefined;
};

export const readConnection = (): Connection | undefined => {
  const kept = localStorage.getItem(PLACE);
  return kept ? JSON.parse(kept) : fromEnvironment();
};

/** Remembers a connection, or forgets it, and starts anew. */
export const reconnect = (connection?: Connection): void => {
  if (connection) localStorage.setItem(PLACE, JSON.stringify(connection));
  else localStorage.removeItem(PLACE);
  location.reload();
};
