import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

const contract = process.env['CONTRACT'];

export default defineConfig({
  input: { path: `./generated/contract/${contract}.yaml` },
  output: { path: `./generated/kubb/${contract}`, clean: true, format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', dataReturnType: 'full' })],
});
