import { defineConfig } from 'orval';

export default defineConfig(
  Object.fromEntries(
    ['v1', 'settings-v1'].map((contract) => [
      contract,
      {
        input: `./generated/contract/${contract}.yaml`,
        output: {
          target: `./generated/orval/${contract}.ts`,
          client: 'fetch' as const,
          override: { mutator: { path: './orval-fetch.ts', name: 'send' } },
        },
      },
    ]),
  ),
);
