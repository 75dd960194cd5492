// A judge of traffic in its smallest form: each 500 violates a requirement.
export const createTrafficJudge = ({ keys, onJudged }) => {
  const violations = [];
  const judge = {
    exchanges: 0,
    violations,
    unknown: [],
    flush() {},
    observe(traffic) {
      const number = ++judge.exchanges;
      const key = traffic.requestHeaders.find(([name]) => /^authorization$/i.test(name))?.[1].replace('Bearer ', '');
      const as = Object.keys(keys).find((role) => keys[role] === key && key !== undefined) ?? (key ? 'key-1' : 'nobody');
      const request = `${traffic.method} ${traffic.target}`;
      const row = { requirement: 'WM-ERR-1', quote: 'No <500>.', line: 7, exchange: number, expected: '200', got: '500' };
      const own =
        traffic.response?.status === 500 ? [{ ...row, says: `it failed for ${key}: ${traffic.response.body}`, request }] : [];
      violations.push(...own);
      onJudged?.({ number, traffic, as, operation: undefined, violations: own });
    },
  };
  return judge;
};
