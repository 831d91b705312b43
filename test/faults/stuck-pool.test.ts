import { openDatabase } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { expect, it, vi } from 'vitest';
import { send } from '../support/http.ts';
import { useService } from '../support/suite.ts';

const service = useService();

it('/healthz fails only when no connection of the pool becomes free for a minute', async () => {
  const database = await openDatabase({ url: service.databaseUrl, poolSize: 1 });
  const server = await listen(createApp({ ...service.services, database }), { host: '127.0.0.1', port: 0 });
  const probe = async (path: string) => (await send(`${server.url}${path}`, 'GET')).status;
  const taken = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holder = database.transaction(async () => {
    taken.resolve();
    await held.promise;
  });
  await taken.promise;
  const now = performance.now();
  const later = vi.spyOn(performance, 'now');
  later.mockReturnValue(now + 59_000);
  expect(await probe('/healthz')).toBe(200);
  later.mockReturnValue(now + 61_000);
  // The process reports that it is unhealthy, so that it gets replaced. A new process could use the database, which still works.
  expect(await probe('/healthz')).toBe(503);
  expect(await probe('/readyz')).toBe(200);
  later.mockRestore();
  held.resolve();
  await holder;
  expect(await probe('/healthz')).toBe(200);
  await server.close();
  await database.close();
});
