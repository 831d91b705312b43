import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify, stripVTControlCharacters } from 'node:util';
import { mcpOverHttp } from '@affiliate/mcp';
import { createApp, listen } from '@affiliate/rest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { useService } from '../support/suite.ts';
import { sample } from '../support/thorough.ts';
import { type CredentialsProxy, startCredentialsProxy } from './credentials-proxy.ts';
import { EXAMPLE_METHODS } from './example-server.ts';

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

const service = useService({ publicUrl: 'http://localhost:3000' });
let proxy: CredentialsProxy;
/** Our transport with the methods of the example server that the suite expects. */
let exampleServer: Awaited<ReturnType<typeof listen>>;
let example: CredentialsProxy;

beforeAll(async () => {
  // The suite sends no credentials.
  const { apiKey } = await service.createAccount();
  proxy = await startCredentialsProxy(service.url, apiKey);
  const { services } = service;
  const app = createApp(services, { doors: { '/mcp': (limits) => mcpOverHttp(services, limits, { methods: EXAMPLE_METHODS }) } });
  exampleServer = await listen(app, { host: '127.0.0.1', port: 0 });
  example = await startCredentialsProxy(exampleServer.url, apiKey);
});
afterAll(async () => {
  await example[Symbol.asyncDispose]();
  await exampleServer.close();
  await proxy[Symbol.asyncDispose]();
});

/** Checks that call tools of the suite's own example server, which our service does not have. */
const NEED_EXAMPLE_TOOLS = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

const SCENARIOS: [scenario: string, revision: string, fails?: string[]][] = [
  ['server-initialize', '2025-11-25'],
  ['ping', '2025-11-25'],
  ['tools-list', '2025-11-25'],
  ['prompts-list', '2025-11-25'],
  ['resources-list', '2025-11-25'],
  ['dns-rebinding-protection', '2025-11-25'],
  ['server-stateless', '2026-07-28', NEED_EXAMPLE_TOOLS],
  ['caching', '2026-07-28'],
  ['http-header-validation', '2026-07-28'],
  ['tools-list', '2026-07-28'],
  ['prompts-list', '2026-07-28'],
  ['resources-list', '2026-07-28'],
  ['sep-2164-resource-not-found', '2026-07-28'],
  ['dns-rebinding-protection', '2026-07-28'],
];

/** Scenarios that need the tools, prompts and resources of the suite's own example server. */
const OF_EXAMPLE = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'completion-complete',
];

/** Runs a scenario of the official suite. Returns the names of the checks that passed and failed. */
async function run(
  { url }: CredentialsProxy,
  scenario: string,
  revision: string,
): Promise<{ passed: string[]; failed: string[] }> {
  const args = [SUITE, 'server', '--url', `${url}/mcp`, '--scenario', scenario, '--spec-version', revision];
  // The suite exits with 1 if a check fails.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...COMPILE_CACHE } }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const checks = [...stripVTControlCharacters(stdout).matchAll(/\[([\w-]+) *\] (SUCCESS|FAILURE)/g)];
  const named = (outcome: string) => checks.filter(([, , each]) => each === outcome).map(([, name]) => name!);
  return { passed: named('SUCCESS'), failed: [...new Set(named('FAILURE'))].toSorted() };
}

describe('the official conformance suite', () => {
  it.each(sample(SCENARIOS, 2, 0))('passes %s of %s', async (scenario, revision, fails = []) => {
    const { passed, failed } = await run(proxy, scenario, revision);
    expect(failed).toEqual(fails);
    expect(passed.length).toBeGreaterThan(0);
  });

  it.each(
    ['2025-11-25', '2026-07-28'].flatMap((revision, turn) =>
      sample(OF_EXAMPLE, 5, turn).map((scenario) => [scenario, revision] as const),
    ),
  )('passes %s of %s with the methods of its example server on our transport', async (scenario, revision) => {
    const { passed, failed } = await run(example, scenario, revision);
    expect(failed).toEqual([]);
    expect(passed.length).toBeGreaterThan(0);
  });
});
