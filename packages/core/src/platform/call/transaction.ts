import { DomainError } from '../errors/errors.ts';
import type { Ctx, Services, WriteCtx } from './context.ts';
import { toInstant } from '../time/instant.ts';

const MAX_ATTEMPTS = 4;

/**
 * Runs `work` in one transaction: flushed and committed when it returns, rolled back when it throws, and rolled back all the
 * same when the call is a preview. A deadlock or serialization failure did nothing and runs again. What `work` put off with
 * `afterCommit` happens once the commit is certain.
 *
 * @throws what `work` throws; a violated unique index as the error it means to the caller
 */
export async function inTransaction<T>(ctx: Ctx, work: (ctx: WriteCtx) => Promise<T>): Promise<T> {
  const { database } = ctx.services;
  for (let attempt = 1; ; attempt += 1) {
    const committed: (() => void)[] = [];
    const events = ctx.preview?.events.length;
    try {
      const result = await database.transaction(async (em, db) => {
        const outcome = await work({ ...ctx, em, db, afterCommit: (then) => void committed.push(then) });
        await em.flush();
        if (ctx.preview) throw new RolledBack(outcome);
        return outcome;
      });
      for (const then of committed) then();
      return result;
    } catch (error) {
      if (error instanceof RolledBack) return error.outcome as T;
      if (ctx.preview && events !== undefined) ctx.preview.events.length = events;
      const cause = error instanceof Error && !(error instanceof DomainError) && error.cause !== undefined ? error.cause : error;
      if (database.constraints.isTransient(cause) && attempt < MAX_ATTEMPTS) continue;
      throw database.constraints.translate(error);
    }
  }
}

/** Runs one part of a longer piece of work in a transaction of its own, at the time it is then. */
export type Step = <T>(part: (ctx: WriteCtx) => Promise<T>) => Promise<T>;

/**
 * For a mutation that is too large for one transaction: `work` runs each of its steps in one, and must be able to go on from
 * any of them when the process dies. In a preview all steps share a single transaction, which is rolled back.
 */
export async function inSteps<T>(ctx: Ctx, work: (step: Step) => Promise<T>): Promise<T> {
  if (ctx.preview) {
    return inTransaction(ctx, (shared) =>
      work(async (part) => {
        const outcome = await part(shared);
        // As a commit would: the next step must read what this one did.
        await shared.em.flush();
        return outcome;
      }),
    );
  }
  return work((part) => inTransaction({ ...ctx, now: toInstant(ctx.clock.now()) }, part));
}

/** The context of work that no caller asked for: sweeps, and events of the payment provider. */
export function systemContext(services: Services, accountId: string, requestId: string): Ctx {
  return {
    services,
    requestId,
    principal: { kind: 'system', account_id: accountId },
    surface: 'v1',
    reply: {},
    accountId,
    clock: services.clock,
    now: toInstant(services.clock.now()),
    db: services.database.kysely,
  };
}

/** Carries a preview's outcome out of the transaction that it rolls back. */
class RolledBack extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('Preview: rolled back.');
    this.outcome = outcome;
  }
}
