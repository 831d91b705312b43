import { asWriter } from '@affiliate/postgres';
import type { SendJobs } from '../db/announcer.ts';
import { LockLedger } from '../db/lock-order.ts';
import { isLockTimeout } from '../errors/database-failures.ts';
import { DomainError } from '../errors/errors.ts';
import { laterOf, toInstant } from '../time/instant.ts';
import { clockOf } from './call-time.ts';
import { actorOf } from './caller.ts';
import type { Ctx, PersonWriteCtx, Principal, Services, WriteCtx } from './context.ts';
import { confirmWrites } from './records.ts';
import { WorkingSet } from './working-set.ts';

const MAX_ATTEMPTS = 4;
/** A transaction that has waited too long for a lock is repeated if less than this time has passed since its first attempt. */
const LOCKS_WITHIN_MS = 15_000;

/**
 * Runs `work` in one transaction: commits when it returns, rolls back when it throws or when the call is a preview. Repeats the
 * transaction after a deadlock or a serialization failure, and after waiting too long for a lock. Before each repetition the transaction
 * queues for a connection again, behind the account's other writes. The last statement writes the events that announce the changes. Callbacks
 * passed to `afterCommit` run after the commit.
 *
 * @throws the errors of `work`; for a violated unique index, the error declared for it; UNAVAILABLE if the database fails or a lock is not
 *   released in time
 */
export function inTransaction<T>(ctx: Ctx, work: (ctx: WriteCtx) => Promise<T>): Promise<T> {
  return asWriter(ctx.accountId, () => repeatTransaction(ctx, work));
}

async function repeatTransaction<T>(ctx: Ctx, work: (ctx: WriteCtx) => Promise<T>): Promise<T> {
  const { database } = ctx.services;
  const clock = ctx.clock === ctx.services.clock ? await clockOf(ctx.services, ctx.accountId) : ctx.clock;
  const start = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const committed: (() => void)[] = [];
    const events = ctx.preview?.events.length;
    let announced: Promise<SendJobs> | undefined;
    try {
      const result = await database.transaction(async (db) => {
        const records = new WorkingSet();
        const outcome = await work({
          ...ctx,
          clock,
          now: laterOf(ctx.now, toInstant(clock.now())),
          db,
          locks: ledgerOf(ctx.services),
          records,
          afterCommit: (then) => void committed.push(then),
        });
        const at = laterOf(ctx.now, toInstant(clock.now()));
        if (ctx.preview) {
          ctx.preview.events.push(...(await database.announcer.preview(db, at, records.changes)));
          await confirmWrites({ db });
          throw new RolledBack(outcome);
        }
        if (ctx.copied) return outcome;
        // Not awaited, because the commit follows at once: the statement makes other writers of events wait.
        announced = database.announcer.write(db, at, records.changes, actorOf(ctx.principal));
        announced.catch(() => undefined);
        return outcome;
      });
      const sendJobs = await announced;
      sendJobs?.(ctx.services.jobs);
      await database.replica?.noteWrite(ctx.accountId);
      for (const then of committed) then();
      return result;
    } catch (error) {
      if (error instanceof RolledBack) return error.outcome as T;
      if (ctx.preview && events !== undefined) ctx.preview.events.length = events;
      const cause = error instanceof Error && !(error instanceof DomainError) && error.cause !== undefined ? error.cause : error;
      if (database.constraints.isTransient(cause) && attempt < MAX_ATTEMPTS) continue;
      if (isLockTimeout(cause) && performance.now() - start < LOCKS_WITHIN_MS) continue;
      throw database.constraints.translate(error);
    }
  }
}

function ledgerOf({ database, onWrongLockOrder, log }: Services): LockLedger {
  return new LockLedger(database.lockOrder, onWrongLockOrder ?? ((message) => log.error({}, message)));
}

/** Runs a change about a person rather than an account in one transaction. Callbacks passed to `afterCommit` run after the commit. */
export async function inPersonTransaction<T>(services: Services, work: (ctx: PersonWriteCtx) => Promise<T>): Promise<T> {
  const committed: (() => void)[] = [];
  const result = await services.database.transaction((db) =>
    work({
      services,
      db,
      locks: ledgerOf(services),
      records: new WorkingSet(),
      now: toInstant(services.clock.now()),
      afterCommit: (then) => void committed.push(then),
    }),
  );
  for (const then of committed) then();
  return result;
}

/** Runs one step of a longer piece of work in its own transaction, at the current time. */
export type Step = <T>(part: (ctx: WriteCtx) => Promise<T>) => Promise<T>;

/**
 * Runs a mutation that is too large for one transaction: each step of `work` has its own transaction. If the process dies after any step, a
 * later call must be able to continue the work. In a preview all steps share one transaction, which is rolled back.
 */
export async function inSteps<T>(ctx: Ctx, work: (step: Step) => Promise<T>): Promise<T> {
  if (ctx.preview) {
    return inTransaction(ctx, (shared) =>
      work(async (part) => {
        const outcome = await part(shared);
        await confirmWrites(shared);
        return outcome;
      }),
    );
  }
  return work((part) => inTransaction(ctx, part));
}

/** Creates the context of work that no door has asked for. */
export function contextOf(services: Services, principal: Principal, requestId: string): Ctx {
  return {
    services,
    requestId,
    principal,
    surface: 'v1',
    reply: {},
    accountId: principal.account_id,
    clock: services.clock,
    now: toInstant(services.clock.now()),
    db: services.database.kysely,
  };
}

/** Creates the context of work without a caller: sweeps, and events of the payment provider. */
export function systemContext(services: Services, accountId: string, requestId: string): Ctx {
  return contextOf(services, { kind: 'system', account_id: accountId }, requestId);
}

/** Carries the result of a preview out of its transaction, which is rolled back. */
class RolledBack extends Error {
  readonly outcome: unknown;

  constructor(outcome: unknown) {
    super('Preview: rolled back.');
    this.outcome = outcome;
  }
}
