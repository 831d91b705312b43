import type { Ctx } from '../../platform/call/context.ts';
import { oneOf, sameText } from '../../platform/db/conditions.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import type { OpenConnection } from '../../sources/connections/open-connection.ts';
import { findOpenOperations } from '../../sources/operations/operation-ledger.ts';
import { PspError } from '../../sources/port/psp-error.ts';
import { assignableAffiliate } from './assignable-affiliate.ts';
import { type Discount, discountOf, observationOf } from './observation.ts';
import { promoCodeAssignment } from './promo-code-record.ts';
import type { ListPromoCodes, PendingPromoCodes, PromoCodeMatch, PromoCodePage } from './promo-code.schema.ts';
import { refusal } from './run-operation.ts';

/**
 * Lists the affiliate's assignments, newest first. With `q`, lists only assignments of exactly that code, and adds the provider's codes
 * with the same text. With `discounts`, adds the provider's valid coupons.
 *
 * @throws NOT_FOUND, PSP_NOT_CONNECTED, VALIDATION_ERROR, PSP_ERROR
 */
export async function listPromoCodes(ctx: Ctx, input: ListPromoCodes): Promise<PromoCodePage> {
  const { connection } = await assignableAffiliate(ctx, input.affiliate_id);
  let query = ctx.db
    .selectFrom('promo_code')
    .where('account_id', '=', ctx.accountId)
    .where('affiliate_id', '=', input.affiliate_id)
    .where('origin', '!=', 'affiliate_coupon');
  if (input.q !== undefined) query = query.where(sameText('code', input.q));
  const [{ data, pagination }, matches, discounts] = await Promise.all([
    paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
      order: listOrder(input.sort, { table: 'promo_code' }),
      select: (all) => all.selectAll(),
    }),
    input.q === undefined ? undefined : findMatches(ctx, connection, input.q),
    input.discounts ? findDiscounts(connection) : undefined,
  ]);
  return { data: data.map(promoCodeAssignment), pagination, ...(matches && { matches }), ...(discounts && { discounts }) };
}

/** Lists the pending operations that import or create a code for an affiliate, oldest first. Their outcome at the provider is unknown. */
export async function listPendingPromoCodes(ctx: Ctx, { affiliate_id }: { affiliate_id: string }): Promise<PendingPromoCodes> {
  const open = await findOpenOperations(ctx, affiliate_id);
  return {
    data: open.map(({ id, livemode, input, is_running, created_at }) => ({
      id,
      type: input.psp_promotion_code_id === undefined ? 'create' : 'import',
      livemode,
      code: input.code ?? null,
      psp_coupon_id: input.psp_coupon_id ?? null,
      psp_promotion_code_id: input.psp_promotion_code_id ?? null,
      is_running,
      created_at,
    })),
  };
}

async function findMatches(ctx: Ctx, { provider, livemode }: OpenConnection, code: string): Promise<PromoCodeMatch[]> {
  const found = await provider.promotionCodesByCode(code).catch(refuse);
  if (found.length === 0) return [];
  const owners = await ctx.db
    .selectFrom('promo_code')
    .select(['psp_promotion_code_id', 'id', 'affiliate_id', 'status'])
    .where('account_id', '=', ctx.accountId)
    .where('livemode', '=', livemode)
    .where(
      oneOf(
        'psp_promotion_code_id',
        found.map(({ id }) => id),
      ),
    )
    .execute();
  const ownerOf = new Map(owners.map((owner) => [owner.psp_promotion_code_id, owner]));
  return found.map((match) => {
    const owner = ownerOf.get(match.id);
    return {
      psp_promotion_code_id: match.id,
      livemode: match.livemode,
      observation: observationOf(match),
      assignment_id: owner?.id ?? null,
      affiliate_id: owner?.affiliate_id ?? null,
      status: owner?.status ?? null,
    };
  });
}

async function findDiscounts({ provider }: OpenConnection): Promise<Discount[]> {
  return (await provider.validCoupons().catch(refuse)).map(discountOf);
}

function refuse(error: unknown): never {
  throw error instanceof PspError ? refusal(error) : error;
}
