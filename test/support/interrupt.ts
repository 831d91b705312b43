import type { Services } from '@affiliate/core';
import { sql } from 'kysely';
import { vi } from 'vitest';

/** Runs `work`. Its first `transactions` transactions commit and the next one fails, as if the process died between the two. */
export async function interruptAfter({ database }: Services, transactions: number, work: () => Promise<void>): Promise<void> {
  const commit = database.transaction.bind(database);
  using transaction = vi.spyOn(database, 'transaction');
  for (let each = 0; each < transactions; each += 1) transaction.mockImplementationOnce((inner) => commit(inner));
  transaction.mockRejectedValueOnce(new Error('The connection was lost'));
  await work();
}

/** Runs `work`. Its first `transactions` transactions commit, and the last of these then throws, as if the process died before it responded. */
export async function dieAfterCommit({ database }: Services, transactions: number, work: () => Promise<void>): Promise<void> {
  const commit = database.transaction.bind(database);
  using transaction = vi.spyOn(database, 'transaction');
  for (let each = 1; each < transactions; each += 1) transaction.mockImplementationOnce((inner) => commit(inner));
  transaction.mockImplementationOnce(async (inner) => {
    await commit(inner);
    throw new Error('The process died');
  });
  await work();
}

/** Runs `work` without a time limit for locks. */
export async function withPatience<T>({ database }: Services, work: () => Promise<T>): Promise<T> {
  const commit = database.transaction.bind(database);
  using transaction = vi.spyOn(database, 'transaction');
  transaction.mockImplementation((inner) =>
    commit(async (db) => {
      await sql`set local lock_timeout = 0`.execute(db);
      return inner(db);
    }),
  );
  return await work();
}
