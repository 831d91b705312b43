import type { Services } from '@affiliate/core';
import { vi } from 'vitest';

/** While `work` runs, commits the given number of transactions and fails the next one, like a process that dies between two of them. */
export async function interruptAfter({ database }: Services, transactions: number, work: () => Promise<void>): Promise<void> {
  const commit = database.transaction.bind(database);
  using transaction = vi.spyOn(database, 'transaction');
  for (let each = 0; each < transactions; each += 1) transaction.mockImplementationOnce((inner) => commit(inner));
  transaction.mockRejectedValueOnce(new Error('The connection was lost'));
  await work();
}

/** While `work` runs, commits the given number of transactions and fails after the last of them, like a process that dies before it responds. */
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

/** While `work` runs, lets transactions wait for locks as long as it takes. */
export async function withPatience<T>({ database }: Services, work: () => Promise<T>): Promise<T> {
  const commit = database.transaction.bind(database);
  using transaction = vi.spyOn(database, 'transaction');
  transaction.mockImplementation((inner) =>
    commit(async (em, db) => {
      await em.execute('set local lock_timeout = 0');
      return inner(em, db);
    }),
  );
  return await work();
}
