import { afterAll, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type ServiceOptions, type TestService, startService } from '../support/service.ts';

const services: TestService[] = [];
afterAll(async () => {
  for (const service of services) await service.stop();
});

async function statusesOf(options: ServiceOptions, origins: (string | null)[]): Promise<number[]> {
  const service = await startService(options);
  services.push(service);
  const { apiKey } = await service.createAccount();
  const statuses = [];
  for (const origin of origins) {
    const headers = { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${apiKey}` };
    const { status, body } = await send(`${service.url}/mcp`, 'POST', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      headers: origin === null ? headers : { ...headers, Origin: origin },
    });
    const isExplained = body['code'] === 'FORBIDDEN' && String(body['error']).includes('MCP_ALLOWED_ORIGINS');
    expect(isExplained).toBe(status === 403);
    statuses.push(status);
  }
  return statuses;
}

const FOREIGN = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example:3000',
  'null',
  'localhost',
  '',
];
const LOCAL = ['http://localhost:6274', 'http://127.0.0.1:6274', 'https://[::1]:8443'];

describe('a page that calls /mcp', () => {
  it('is answered 403 unless it is local, if PUBLIC_URL is a loopback address', async () => {
    const own = 'http://localhost:3000';
    const statuses = await statusesOf({ publicUrl: own }, [...FOREIGN, ...LOCAL, own, null]);
    expect(statuses).toEqual([...FOREIGN.map(() => 403), ...LOCAL.map(() => 200), 200, 200]);
  });

  it('is answered if MCP_ALLOWED_ORIGINS lists its origin, even with a loopback PUBLIC_URL', async () => {
    const options = { publicUrl: 'http://127.0.0.1:3000', allowedOrigins: ['https://inspector.example'] };
    const origins = ['https://inspector.example', 'http://inspector.example', 'https://inspector.example:8443', ...LOCAL];
    expect(await statusesOf(options, origins)).toEqual([200, 403, 403, ...LOCAL.map(() => 200)]);
  });

  it('is answered 403 unless it is listed or of the service, if a public service has MCP_ALLOWED_ORIGINS', async () => {
    const publicUrl = 'https://affiliates.example.com/program';
    const origins = ['https://inspector.example', 'https://affiliates.example.com', null, ...FOREIGN, ...LOCAL];
    const statuses = await statusesOf({ publicUrl, allowedOrigins: ['https://inspector.example'] }, origins);
    expect(statuses).toEqual([200, 200, 200, ...[...FOREIGN, ...LOCAL].map(() => 403)]);
  });

  it('is answered from every origin, if a public service has no MCP_ALLOWED_ORIGINS', async () => {
    expect(await statusesOf({}, ['https://evil.example', 'null'])).toEqual([200, 200]);
  });

  it('is refused in the preflight as well', async () => {
    const { status, headers } = await send(`${services[0]!.url}/mcp`, 'OPTIONS', {
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});
