import { playwright } from '@vitest/browser-playwright';

const provider = playwright({ launchOptions: { args: ['--no-sandbox'] } });
export default { test: { browser: { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }] } } };
