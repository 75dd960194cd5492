export const register = async () => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { createMock } = await import('wm-mock');
  await import('wm-mock/msw');
  const mock = await createMock({ seed: 'demo' });
  process.env.API = (await mock.listen()).baseUrl;
  process.env.KEY = mock.keys[0].value;
};
