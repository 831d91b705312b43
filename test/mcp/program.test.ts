import { expect, it } from 'vitest';
import { run, startProgram } from '../app/program.ts';
import { send } from '../support/http.ts';
import { createTestDatabase } from '../support/postgres.ts';

it('the program serves assistants at /mcp, beside REST', async () => {
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'a secret of the tests', PORT: '0' };
  const owner = ['--owner-email', 'owner@example.com', '--owner-password', 'correct horse'];
  const { stdout } = await run(['account', 'create', '--json', '--name', 'Shop', ...owner], settings);
  const { api_key } = JSON.parse(stdout) as { api_key: string };
  const program = await startProgram(['rest'], settings);
  // As an assistant does that knows the address only.
  const stranger = await send(`${program.url}/mcp`, 'POST', { body: {} });
  const [, found = ''] = /resource_metadata="([^"]+)"/.exec(stranger.headers.get('www-authenticate') ?? '') ?? [];
  const resource = await send(`${program.url}${new URL(found).pathname}`, 'GET');
  const [issuer = ''] = resource.body['authorization_servers'] as string[];
  const server = await send(`${program.url}/.well-known/oauth-authorization-server${new URL(issuer).pathname}`, 'GET');
  const reply = await send(`${program.url}/mcp`, 'POST', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${api_key}` },
  });
  await program.end();
  await database.drop();
  expect(server.body).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] });
  expect(reply).toMatchObject({ status: 200, body: { result: { tools: expect.any(Array) } } });
});
