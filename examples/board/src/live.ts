// Live updates: a webhook that reached the inbox says that somebody changed something, and the board looks again.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** @returns whether events arrive at present. */
export const useLive = (inbox: string | undefined): boolean => {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  useEffect(() => {
    if (!inbox) return undefined;
    const source = new EventSource(`/live?inbox=${encodeURIComponent(inbox)}`);
    // Events come at least once and in any order, and hold no more than a few fields: what they say is "look again".
    source.onmessage = ({ data }) => client.invalidateQueries({ queryKey: [(JSON.parse(data) as { about: string }).about] });
    source.onopen = () => setLive(true);
    source.onerror = () => setLive(false);
    return () => source.close();
  }, [client, inbox]);
  return live;
};
