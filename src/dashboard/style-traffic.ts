// Styles of what goes through: methods, statuses, checks, timelines, differences.

export const TRAFFIC = `
.method { font-family: var(--mono); font-size: 12px; font-weight: 650; letter-spacing: 0.01em; }
.big-time { font-size: 24px; font-weight: 620; letter-spacing: -0.015em; line-height: 1.3; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.big-time .muted { font-size: 14px; font-weight: 400; letter-spacing: 0; }
.wide-gauge { width: 26%; min-width: 90px; }
.wide-gauge .gauge { display: block; width: 100%; }
`;
