import { purgeRows, recordApiRequest, writeApiLog } from '@affiliate/core';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { program } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type ApiLog = Outputs['apiRequests']['list'];

const service = useService({ writesRows: true });
const account = useAccount(service);

/** Returns the log, once it has been written. */
async function logged(query = ''): Promise<ApiLog['data']> {
  await writeApiLog(service.services);
  const { data } = (await account.api.get<ApiLog>('/api/settings/v1/api_requests', query)).body;
  return data;
}
const summaryOf = ({ method, path, status, error_code }: ApiLog['data'][number]) => [method, path, status, error_code];

describe('the API log', () => {
  it('has each request with an API key, newest first', async () => {
    const { headers } = await account.api.get('/affiliates', 'limit=1');
    await account.api.post('/affiliates', { email: 'nobody' });
    // A request to an unknown path is refused before its key is looked up, so it has no place in the log of a key.
    await account.api.get('/unknown');
    const [refused, listed] = await logged();
    expect(summaryOf(refused!)).toEqual(['POST', '/api/v1/affiliates', 422, 'VALIDATION_ERROR']);
    expect(listed).toEqual({
      id: expect.stringMatching(/^req_/),
      key_id: expect.stringMatching(/^key_/),
      method: 'GET',
      path: '/api/v1/affiliates',
      status: 200,
      error_code: null,
      count: 1,
      request_id: headers.get('x-request-id'),
      duration_ms: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('keeps only the ids of records from a path', async () => {
    const { affiliate } = await program(account);
    await account.api.get(`/affiliates/${affiliate.id}`);
    await account.api.get(`/affiliates/${encodeURIComponent('external:ada@example.com')}`);
    await account.api.get('/affiliates/apk_secretpastedbymistake');
    // The two refusals are one entry.
    const entries = (await logged()).slice(0, 2).map(({ path, count }) => [path, count]);
    expect(entries).toEqual([
      ['/api/v1/affiliates/{id}', 2],
      [`/api/v1/affiliates/${affiliate.id}`, 1],
    ]);
    const { rows } = await sql<{ row: string }>`select t::text as row from api_request t`.execute(
      service.services.database.kysely,
    );
    expect(JSON.stringify(rows)).not.toMatch(/ada@example|pasted/);
  });

  it('can be filtered, and read page by page', async () => {
    const other = await account.apiWith({ all: true });
    for (let i = 0; i < 3; i += 1) await other.get('/campaigns');
    await other.get('/campaigns/unknown');
    await account.api.get('/links');
    const [{ key_id } = { key_id: '' }] = await logged('failed=true');
    expect((await logged(`key_id=${key_id}`)).map(({ path }) => path)).toEqual([
      '/api/v1/campaigns/{id}',
      ...Array<string>(3).fill('/api/v1/campaigns'),
    ]);
    expect((await logged(`key_id=${key_id}&failed=true`)).map(summaryOf)).toEqual([
      ['GET', '/api/v1/campaigns/{id}', 404, 'NOT_FOUND'],
    ]);
    expect(await logged(`key_id=${key_id}&method=POST`)).toEqual([]);
    const first = await account.api.get<ApiLog>('/api/settings/v1/api_requests', `key_id=${key_id}&limit=3`);
    const rest = await logged(`key_id=${key_id}&limit=3&starting_after=${first.body.pagination.next_cursor}`);
    expect([...first.body.data, ...rest]).toHaveLength(4);
    expect(first.body.pagination).not.toHaveProperty('total_count');
    const [one] = first.body.data;
    expect(await logged(`request_id=${one!.request_id}`)).toEqual([one]);
  });

  it('shows nothing of other accounts, and needs the permission to read API keys', async () => {
    await account.api.get('/links');
    const stranger = await service.createAccount();
    await writeApiLog(service.services);
    const { body } = await stranger.api.get<ApiLog>('/api/settings/v1/api_requests');
    expect(body.data).toEqual([]);
    const limited = await account.apiWith({ 'v1.links.read': true });
    expect((await limited.get('/api/settings/v1/api_requests')).status).toBe(403);
  });

  it('has no requests without a valid API key, and none of signed-in people', async () => {
    await send(`${service.url}/api/v1/links`, 'GET', {
      headers: { Authorization: 'Bearer apk_wrong', 'X-Account-Id': account.id },
    });
    await account.client.links.list.query({});
    expect(await logged()).toEqual([]);
  });

  it('keeps requests for 7 days', async () => {
    await account.api.get('/links');
    await logged();
    service.clock.advance(8, 'days');
    await account.api.get('/campaigns');
    await writeApiLog(service.services);
    await purgeRows(service.services, 'api_request');
    expect((await logged()).map(({ path }) => path)).not.toContain('/api/v1/links');
    expect((await logged()).map(({ path }) => path)).toContain('/api/v1/campaigns');
  });

  it('never makes a request fail or wait, even if its entries cannot be written', async () => {
    const { kysely } = service.services.database;
    await sql`alter table api_request rename to hidden_api_request`.execute(kysely);
    try {
      expect((await account.api.get('/links')).status).toBe(200);
      await writeApiLog(service.services);
      expect(
        (
          await account.api.post('/campaigns', {
            name: 'Kept',
            url: 'https://shop.example.com',
            reward_type: 'percent',
            commission_percent: 5,
          })
        ).status,
      ).toBe(201);
      expect(service.log.lines.map(({ message }) => message)).toContain('requests are missing in the API log');
    } finally {
      await sql`alter table hidden_api_request rename to api_request`.execute(kysely);
    }
    expect((await logged()).map(({ path }) => path)).not.toContain('/api/v1/links');
  });

  it('has one entry for equal refusals of a second', async () => {
    const refused = await account.apiWith({ all: true });
    await Promise.all(Array.from({ length: 20 }, (_, i) => refused.get(`/campaigns/camp_${String(i).padStart(26, '0')}`)));
    await refused.post('/campaigns', {});
    await refused.get('/links');
    await refused.get('/links');
    const [last] = await logged();
    const entries = (await logged(`key_id=${last!.key_id}`)).map((each) => [...summaryOf(each).slice(0, 3), each.count]);
    expect(entries).toEqual([
      ['GET', '/api/v1/links', 200, 1],
      ['GET', '/api/v1/links', 200, 1],
      ['POST', '/api/v1/campaigns', 422, 1],
      ['GET', expect.stringMatching(/^\/api\/v1\/campaigns\/camp_0/), 404, 20],
    ]);
  });

  it('has a fixed number of entries per account and day, and holds no more in memory', async () => {
    await logged();
    const entry = {
      route: '/api/v1/links',
      account_id: account.id,
      key_id: 'key_1',
      method: 'GET',
      path: '/api/v1/links',
      status: 200,
      is_failure: false,
      error_code: null,
      request_id: 'r',
      duration_ms: 1,
    };
    for (let i = 0; i < 25_000; i += 1) recordApiRequest(service.services, entry);
    await writeApiLog(service.services);
    const entries = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from api_request where account_id = ${account.id}`.execute(service.services.database.kysely);
      return rows[0]!.count;
    };
    // The request for the log itself was logged before.
    expect(await entries()).toBe(20_000);
    recordApiRequest(service.services, entry);
    await writeApiLog(service.services);
    expect(await entries()).toBe(20_000);
    service.clock.advance(1, 'days');
    recordApiRequest(service.services, entry);
    await writeApiLog(service.services);
    expect(await entries()).toBe(20_001);
  });
});
