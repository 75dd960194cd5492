// kubb makes types and functions.
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  input: { path: process.env.DOCUMENT },
  output: { path: './client', format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch' })],
});
