import { loadForUpdate } from '../../platform/call/records.ts';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { advanceRun } from './advance-run.ts';
import { PayoutRun } from './payout-run.entity.ts';
import type { ExecutePayoutRun, PayoutRunRecord } from './payout-run.schema.ts';
import { workOnRun } from './work-on-run.ts';

/**
 * Checks every item again and pays those that pass; the others become issues, and their payouts are open again. With `async` it
 * only leaves that to a worker, and answers 202. A run that was executed already is returned as it is; one that is executing, goes on.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR on a canceled run
 */
export async function executePayoutRun(ctx: Ctx, input: ExecutePayoutRun): Promise<PayoutRunRecord> {
  return workOnRun(ctx, {
    procedure: 'payoutRuns.execute',
    input,
    status: input.async ? 202 : 200,
    begin: async (part) => {
      (await loadForUpdate(part, PayoutRun, input.id)).execute(input.payment_reference, part.now);
      return input.id;
    },
    // A worker does it.
    ...(input.async ? { proceed: () => Promise.resolve() } : {}),
  });
}

/**
 * Does what payout runs have left to do: executions that were asked for, and whatever a process that died left behind. Runs take turns,
 * batch by batch. Any number of processes may do this at once.
 *
 * @param mustStop asked between batches
 */
export async function advancePayoutRuns(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  const broken = new Set<string>();
  for (;;) {
    const working = await services.database.kysely
      .selectFrom('payout_run')
      .select(['id', 'account_id'])
      .where('working', '=', true)
      .orderBy('id')
      .execute();
    const runs = working.filter(({ id }) => !broken.has(id));
    if (runs.length === 0) return;
    for (const { id, account_id } of runs) {
      if (mustStop()) return;
      try {
        await inTransaction(systemContext(services, account_id, id), (ctx) => advanceRun(ctx, id));
      } catch (err) {
        broken.add(id);
        services.log.error({ err, payout_run_id: id, account_id }, 'payout run failed; the next sweep tries again');
      }
    }
  }
}
