import { expect, it, onTestFinished } from 'vitest';
import { send } from '../support/http.ts';
import { setReadOnly } from '../support/read-only.ts';
import { startService } from '../support/service.ts';

it('while the database is read-only, reads work and writes are refused with 503, and writes work right after it', async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const account = await service.createAccount();
  const write = () =>
    account.api.post('/campaigns', {
      name: 'Friends',
      url: 'https://shop.example/',
      reward_type: 'percent',
      commission_percent: 10,
    });
  const read = () => account.api.get('/campaigns');
  expect((await write()).status).toBe(201);
  await setReadOnly(service.databaseUrl, 'on');
  // The first requests meet the sessions that were ended.
  await expect.poll(async () => (await read()).status).toBe(200);
  const all = async (ask: () => Promise<{ status: number }>) =>
    new Set((await Promise.all(Array.from({ length: 12 }, ask))).map(({ status }) => status));
  expect(await all(write)).toEqual(new Set([503]));
  expect(await all(read)).toEqual(new Set([200]));
  const ready = await send(`${service.url}/readyz`, 'GET');
  expect(ready).toMatchObject({
    status: 200,
    body: { status: 'ready', writes: 'refused', reason: 'The database is read-only.' },
  });
  await setReadOnly(service.databaseUrl, 'off');
  expect((await send(`${service.url}/readyz`, 'GET')).body).not.toHaveProperty('writes');
  const statuses: number[] = [];
  for (let i = 0; i < 30; i += 1) statuses.push((await write()).status);
  // At most one per connection meets a session that is still read-only.
  expect(statuses.lastIndexOf(503)).toBeLessThan(10);
  expect(new Set(statuses.slice(10))).toEqual(new Set([201]));
});
