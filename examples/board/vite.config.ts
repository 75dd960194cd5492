// How the board is served and built; `wm-mock exec` puts the mock's address and key into the environment.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { liveBridge } from './live-bridge.ts';

export default defineConfig({
  plugins: [react(), liveBridge()],
  envPrefix: ['WM_BASE_URL', 'WM_API_KEY_WRITE'],
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
});
