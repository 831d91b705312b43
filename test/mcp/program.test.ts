import { beforeAll, expect, it } from 'vitest';
import { startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { SECRET_KEY, startService } from '../support/service.ts';

beforeAll(async () => {
  await builtProgram();
});

it('the program serves MCP at /mcp in the same process as REST', async () => {
  const service = await startService();
  const { apiKey } = await service.createAccount();
  const program = await startProgram(['rest'], { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0' });
  // Discovers the authorization server from the URL alone, like an assistant.
  const stranger = await send(`${program.url}/mcp`, 'POST', { body: {} });
  const [, found = ''] = /resource_metadata="([^"]+)"/.exec(stranger.headers.get('www-authenticate') ?? '') ?? [];
  const resource = await send(`${program.url}${new URL(found).pathname}`, 'GET');
  const [issuer = ''] = resource.body['authorization_servers'] as string[];
  const server = await send(`${program.url}/.well-known/oauth-authorization-server${new URL(issuer).pathname}`, 'GET');
  const reply = await send(`${program.url}/mcp`, 'POST', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${apiKey}` },
  });
  await program.end();
  await service.stop();
  expect(server.body).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] });
  expect(reply).toMatchObject({ status: 200, body: { result: { tools: expect.any(Array) } } });
});
