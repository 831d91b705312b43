import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuth } from '../../packages/core/src/identity/auth-library/create-auth.ts';
import { type TestService, startService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Compares the tables of the library's configuration with the database. Rejects with the differences. */
async function compare(): Promise<void> {
  const { checkSchema } = await createAuth(service.services, { validateSchema: true }).$context;
  if (!checkSchema) throw new Error('The library compares nothing.');
  await checkSchema();
}

describe('the tables of the authentication library', () => {
  it('have every column that it writes', async () => {
    await expect(compare()).resolves.toBeUndefined();
  });

  it('are reported when a column is missing', async () => {
    const { schema } = service.services.database.kysely;
    await schema.alterTable('auth_session').renameColumn('last_seen_at', 'seen_at').execute();
    await expect(compare()).rejects.toThrow('last_seen_at');
  });
});
