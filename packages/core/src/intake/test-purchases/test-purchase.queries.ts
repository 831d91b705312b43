import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { hasOperation } from '../../platform/operations/operation-ledger.ts';
import type { TestPurchase } from './test-purchase.schema.ts';
import { buyerOf } from './test-purchase.service.ts';

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
