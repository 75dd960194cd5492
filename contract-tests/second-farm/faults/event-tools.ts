// Tools for the faults of events.ts, event-bodies.ts.

export const receiver = { needs: 'receiver' } as const;
