import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { changeAttempt, lockAttempt } from '../../ledger/payouts/payout.transitions.ts';
import type { Services } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Delivery } from '../../sources/port/port.ts';
import { sendingMethods } from '../methods/methods.ts';
import { type Notice, RailError } from '../port/rail.ts';
import { accessTo, type ConnectedRail, findConnectedRail } from './open-rail.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    rail_notice: RailNoticeTable;
  }
}

/** A verified notice of a rail. It keeps nothing of the notice but its names, because the payment is read at the rail. */
interface RailNoticeTable {
  account_id: string;
  rail_id: string;
  notice_id: string;
  type: string;
  /** Null if the service has sent no such payment. */
  payout_attempt_id: string | null;
  received_at: Instant;
}

export interface RailDelivery {
  railId: string;
  /** Reads the body byte for byte, because the signature covers bytes. Not called for a rail that is not connected. */
  readBody: () => Promise<Uint8Array>;
  header: Delivery['header'];
  requestId: string;
}

/** `taken`: the payment is read at once; `duplicate`: known already; `unknown`: kept, but the service has sent no such payment. */
export type NoticeOutcome = 'taken' | 'duplicate' | 'unknown';

/**
 * Verifies a notice with its rail, stores it, and has the payment read. The notice itself changes no state, because notices come late, twice and out of order.
 *
 * @throws INVALID_SIGNATURE, also for a rail that is not connected, so that the sender learns nothing; PSP_ERROR if the rail does not answer, so that it
 * sends the notice again
 */
export async function receiveRailNotice(services: Services, delivery: RailDelivery): Promise<NoticeOutcome> {
  const rail = await findConnectedRail(services.database.kysely, delivery.railId);
  const notices = rail === null ? undefined : sendingMethods(services).get(rail.kind)?.accounts?.notices;
  if (rail === null || !notices || rail.endpoint_id === null) throw new DomainError('INVALID_SIGNATURE');
  const rawBody = await delivery.readBody();
  const access = accessTo(services, rail);
  const notice = await notices
    .verify(access, { rawBody, header: delivery.header }, services.clock.now())
    .catch((error: unknown) => {
      throw error instanceof RailError ? new DomainError('PSP_ERROR', error.said) : error;
    });
  if (notice === null) throw new DomainError('INVALID_SIGNATURE');
  return takeNotice(services, rail, notice, delivery.requestId);
}

async function takeNotice(services: Services, rail: ConnectedRail, notice: Notice, requestId: string): Promise<NoticeOutcome> {
  const ctx = systemContext(services, rail.account_id, requestId);
  const attempt = await findAttempt(services, rail, notice);
  return inTransaction(ctx, async (tx) => {
    const held = attempt && (await lockAffiliate(tx, attempt.affiliate_id));
    const row = { account_id: rail.account_id, rail_id: rail.id, notice_id: notice.id, type: notice.type };
    const stored = await tx.db
      .insertInto('rail_notice')
      .values({ ...row, payout_attempt_id: attempt?.id ?? null, received_at: tx.now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('notice_id')
      .executeTakeFirst();
    if (!stored) return 'duplicate';
    if (!attempt) {
      if (notice.keys.length > 0)
        services.log.error(
          { account_id: rail.account_id, payout_rail_id: rail.id, type: notice.type },
          'a notice of a payment that was not sent',
        );
      return 'unknown';
    }
    const { provider_batch_id, provider_item_id, currency } = await lockAttempt(tx, held!, attempt.id);
    const { returned } = notice;
    // A call that is under way has another lease from now on, so its answer, which may be older than the notice, is dropped.
    await changeAttempt(tx, attempt.id, {
      provider_batch_id: provider_batch_id ?? notice.provider_batch_id,
      provider_item_id: provider_item_id ?? notice.provider_item_id,
      lease_until: tx.now,
      ...(returned?.currency === currency && { returned_cents: returned.cents }),
    });
    tx.afterCommit(() => services.jobs.send('payout_attempts'));
    return 'taken';
  });
}

/** Finds the payment of a notice among those that were sent through the rail. */
async function findAttempt({ database }: Services, rail: ConnectedRail, { keys }: Notice) {
  if (keys.length === 0) return undefined;
  const attempts = database.kysely.selectFrom('payout_attempt').select(['id', 'affiliate_id']);
  return attempts
    .where('account_id', '=', rail.account_id)
    .where('id', 'in', keys)
    .where('rail_id', '=', rail.id)
    .executeTakeFirst();
}
