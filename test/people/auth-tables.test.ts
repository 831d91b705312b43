import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuth } from '../../packages/core/src/identity/auth-library/create-auth.ts';
import { useService } from '../support/suite.ts';

const service = useService();

/**
 * Compares the tables that the library expects with the database. Rejects with the differences. Silences the library's log, which would contain the
 * differences too.
 */
async function compare(): Promise<void> {
  const log = { ...service.services.log, error: () => undefined };
  const { checkSchema } = await createAuth({ ...service.services, log }, { validateSchema: true }).$context;
  if (!checkSchema) throw new Error('The library has no function that compares the tables.');
  await checkSchema();
}

describe('the tables of the authentication library', () => {
  it('have every column that the library writes', async () => {
    await expect(compare()).resolves.toBeUndefined();
  });

  it('are reported when a column is missing', async () => {
    const table = () => service.services.database.kysely.schema.alterTable('auth_session');
    await table().renameColumn('last_seen_at', 'seen_at').execute();
    onTestFinished(() => table().renameColumn('seen_at', 'last_seen_at').execute());
    await expect(compare()).rejects.toThrow('last_seen_at');
  });
});
