// How the board is served and built; `wm-mock exec` puts the mock's address and key into the environment.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { demoFiles } from './demo-files.ts';
import { liveBridge } from './live-bridge.ts';

export default defineConfig(({ mode }) => ({
  plugins: [react(), liveBridge(), demoFiles()],
  envPrefix: ['WM_BASE_URL', 'WM_CONTROL_URL', 'WM_API_KEY_WRITE'],
  build: { outDir: mode === 'demo' ? 'dist/demo' : 'dist/board' },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
}));
