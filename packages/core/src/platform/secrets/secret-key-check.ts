import type { Database } from '../db/database.ts';
import type { Clock } from '../time/clock.ts';
import { toInstant, type Instant } from '../time/instant.ts';
import type { SecretBox } from './secret-box.ts';

declare module '../db/tables.ts' {
  interface Tables {
    /** One row with the check value of the SECRET_KEY that seals the values of this database. */
    secret_key_check: { id: boolean; value: string; set_at: Instant };
  }
}

/** Purpose of the check value, which is derived from the key and stored in the database. The value reveals nothing about the key. */
const PURPOSE = 'secret key check';

interface Needed {
  database: Database;
  secrets: SecretBox;
  clock: Clock;
}

/**
 * Reports whether the process has the key of this database's secrets (docs/rules/platform.md#stored-secrets), as its current or its previous key.
 * Compares the key with the stored check value. The first process that opens the database stores it, before anything is sealed.
 */
export async function isKeyOfDatabase(services: Needed): Promise<boolean> {
  const { database, secrets, clock } = services;
  const known = [secrets.derive(PURPOSE), secrets.derivePrevious(PURPOSE)];
  const stored = await storedCheck(services);
  if (stored !== null) return known.includes(stored);
  await database.kysely
    .insertInto('secret_key_check')
    .values({ id: true, value: secrets.derive(PURPOSE), set_at: toInstant(clock.now()) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  // Another process, with another key, may have stored its check value first.
  return known.includes((await storedCheck(services)) ?? '');
}

/** Reports whether a process has opened the database with a key, so that its secrets need that key. */
export async function hasSecretKey(database: Database): Promise<boolean> {
  return (await storedCheck({ database })) !== null;
}

/** Stores the check value of the current key. Call it once no value is sealed with another key. */
export async function storeKeyCheck({ database, secrets, clock }: Needed): Promise<void> {
  const row = { value: secrets.derive(PURPOSE), set_at: toInstant(clock.now()) };
  await database.kysely
    .insertInto('secret_key_check')
    .values({ id: true, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function storedCheck({ database }: Pick<Needed, 'database'>): Promise<string | null> {
  const row = await database.kysely.selectFrom('secret_key_check').select('value').executeTakeFirst();
  return row?.value ?? null;
}
