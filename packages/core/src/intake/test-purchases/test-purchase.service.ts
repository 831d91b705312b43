import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { DomainError, notFound } from '../../platform/errors/errors.ts';
import { requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import {
  beginOperation,
  callForOperation,
  finishOperation,
  hasOperation,
  holdingLease,
} from '../../platform/operations/operation-ledger.ts';
import type { RunningOperation } from '../../platform/operations/operation.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { openWith, subjectAt } from '../../sources/connections/open-connection.ts';
import type { NewCheckout, TestCheckout } from '../../sources/port/capabilities.ts';
import { notConnected, PspError, pspFailure } from '../../sources/port/psp-error.ts';
import { INTAKE_REASONS } from '../reasons.ts';
import { canEarn } from '../visits/link-target.ts';
import type { StartedTestPurchase, TestPurchase } from './test-purchase.schema.ts';

const AMOUNT_CENTS = 10_000;

declare module '../../platform/operations/operation.ts' {
  interface OperationKinds {
    test_purchase: null;
  }
}

/** The address of the buyer of a test purchase. Each purchase has its own, so that its customer is new and follows the link of the purchase. */
function buyerOf(operationId: string): string {
  return `test-${operationId.toLowerCase()}@example.com`;
}

/**
 * Opens a checkout in the provider's test mode that names the newest link that can earn. This is an operation of the ledger of writes: after a
 * lost answer, the same request gets the same checkout. Nothing is recorded here until the provider reports the checkout.
 *
 * @throws PSP_NOT_CONNECTED; CONFLICT with a live key, without a link that can earn, and for a key without the permission; OPERATION_PENDING;
 * PSP_ERROR
 */
export async function startTestPurchase(ctx: Ctx): Promise<StartedTestPurchase> {
  const connection = await openWith(ctx.services, ctx.db, ctx.accountId, 'testCheckout');
  if (!connection) throw notConnected();
  if (connection.livemode && !isTestAccount(ctx.accountId)) throw refused('live_mode', INTAKE_REASONS.test_key_needed);
  const target = await findLink(ctx);
  if (!target) throw refused('no_link', INTAKE_REASONS.no_earning_link);
  const { token, currency, affiliate_id } = target;
  const started = { affiliate_id, amount_cents: AMOUNT_CENTS, currency };
  const begun = await beginOperation<StartedTestPurchase>(ctx, {
    kind: 'test_purchase',
    subject: subjectAt(connection, 'test_purchase'),
    idempotencyKey: null,
    fingerprint: requestFingerprint('pspConnection.startTestPurchase', {}),
    input: null,
  });
  if ('replay' in begun) return begun.replay.body;
  return holdingLease(ctx, begun.run.id, async () => {
    const { id } = begun.run;
    const checkout = {
      reference: token,
      customerEmail: buyerOf(id),
      amount: AMOUNT_CENTS,
      currency,
      successUrl: `${ctx.services.publicUrl}/settings/payment-provider`,
    };
    const { url } = await openCheckout(ctx, connection.testCheckout, begun.run, checkout);
    const { body } = await finishOperation<StartedTestPurchase>(ctx, begun.run, async () => ({
      status: null,
      body: { id, checkout_url: url, ...started },
    }));
    return body;
  });
}

async function openCheckout(ctx: Ctx, provider: TestCheckout, operation: RunningOperation, checkout: NewCheckout) {
  try {
    // An earlier attempt may have opened a checkout, too. A checkout that nobody pays expires.
    return await callForOperation(ctx, operation, (key) => provider.openCheckout(checkout, key));
  } catch (error) {
    if (!(error instanceof PspError)) throw error;
    if (error.reason !== 'permission') throw pspFailure(error);
    throw refused('missing_permissions', INTAKE_REASONS.key_lacks_checkout);
  }
}

function refused(reason: string, message: Reason): DomainError {
  return new DomainError('CONFLICT', message, { reason });
}

async function findLink({ db, accountId }: Ctx) {
  const { rows } = await sql<{ token: string; affiliate_id: string; currency: string }>`
    select link.token, link.affiliate_id, account.currency
    from link join campaign on campaign.id = link.campaign_id join affiliate on affiliate.id = link.affiliate_id
      join account on account.id = link.account_id
    where link.account_id = ${accountId} and link.archived_at is null and ${canEarn('affiliate', 'campaign')}
    order by link.id desc limit 1`.execute(db);
  return rows[0];
}

/** Returns how far a test purchase has come: its checkout, the payment, and the commission (docs/rules/intake.md#test-purchases). Throws NOT_FOUND. */
export async function getTestPurchase(ctx: Ctx, id: string): Promise<TestPurchase> {
  const { db, accountId } = ctx;
  if (!(await hasOperation(ctx, 'test_purchase', id))) throw notFound('test purchase');
  const { rows } = await sql<TestPurchase>`
    select
      case when claim.made_at is not null then json_build_object('at', wire_time(claim.made_at), 'referral_id', claim.referral_id) end as checkout,
      case when sale.id is not null then json_build_object('id', sale.id, 'amount_cents', sale.charge_amount_cents,
        'currency', sale.currency, 'no_commission_reason', sale.no_commission_reason) end as sale,
      case when commission.id is not null then json_build_object('id', commission.id, 'amount_cents', commission.amount_cents,
        'currency', commission.currency) end as commission
    from customer_identity buyer
    left join lateral (
      select made_at, referral_id from attribution_claim where customer_id = buyer.customer_id order by id limit 1) claim on true
    left join lateral (select * from sale where sale.customer_id = buyer.customer_id order by sale.id limit 1) sale on true
    left join lateral (
      select * from commission where commission.sale_id = sale.id and state <> 'voided' order by commission.id limit 1) commission on true
    where buyer.account_id = ${accountId} and buyer.kind = 'email' and buyer.value = ${buyerOf(id)}`.execute(db);
  return rows[0] ?? { checkout: null, sale: null, commission: null };
}
