import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo, seesLiveOnly, withStoredMode } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf, sameText } from '../../platform/db/conditions.ts';
import { allOf, whatValues, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { findOpenAssignments } from './assign-promo-code.ts';
import { assignableAffiliate, type CodesConnection } from './assignable-affiliate.ts';
import { refuse } from './code-at-provider.ts';
import { type Discount, discountOf, observationOf } from './observation.ts';
import { promoCodeAssignment } from './promo-code-record.ts';
import type {
  ListAllPromoCodes,
  ListPromoCodes,
  PendingPromoCodes,
  PromoCodeAssignment,
  PromoCodeMatch,
  PromoCodePage,
} from './promo-code.schema.ts';

/**
 * Lists the affiliate's assignments, newest first. With `q`, lists only assignments of exactly that code, and adds the provider's codes
 * with the same text. With `discounts`, adds the provider's valid coupons.
 *
 * @throws NOT_FOUND, PSP_NOT_CONNECTED, VALIDATION_ERROR, PSP_ERROR
 */
export async function listPromoCodes(ctx: Ctx, input: ListPromoCodes): Promise<PromoCodePage> {
  const { connection } = await assignableAffiliate(ctx, input.affiliate_id);
  let query = assignments(ctx).where('affiliate_id', '=', input.affiliate_id);
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

/** Lists the assignments of all affiliates, newest first unless sorted otherwise. */
export async function listAllPromoCodes(ctx: Ctx, asked: ListAllPromoCodes): Promise<Page<PromoCodeAssignment>> {
  const input = withStoredMode(ctx, asked);
  let query = assignments(ctx);
  if (input.code !== undefined) query = query.where(sameText('code', input.code));
  if (input.status) query = query.where(oneOf('status', input.status));
  if (input.livemode !== undefined) query = query.where('livemode', '=', input.livemode);
  const { affiliate_id, campaign_id } = input;
  const { data, pagination } = await paginate(
    query.where(allOf([...whenUpdated('updated_at', input), ...whatValues({ affiliate_id, campaign_id })])),
    input,
    { order: listOrder(input.sort, { table: 'promo_code' }), select: (all) => all.selectAll() },
  );
  return { data: data.map(promoCodeAssignment), pagination };
}

/** Returns an assignment, even a stopped one. Throws NOT_FOUND. */
export async function getPromoCode(ctx: Ctx, { id }: { id: string }): Promise<PromoCodeAssignment> {
  const row = await assignments(ctx).selectAll().where('id', '=', id).executeTakeFirst();
  return promoCodeAssignment(foundOrThrow(row, 'promo code'));
}

/** Selects the account's assignments. The legacy coupons of affiliates are not among them. */
function assignments(ctx: Ctx) {
  return ctx.db
    .selectFrom('promo_code')
    .where('account_id', '=', ctx.accountId)
    .where('origin', '!=', 'affiliate_coupon')
    .where(isVisibleTo(ctx, 'promo_code'));
}

/**
 * Lists the pending operations that import or create a code, of one or all affiliates, oldest first. Their outcome at the provider is unknown.
 */
export async function listPendingPromoCodes(
  ctx: Ctx,
  { affiliate_id }: { affiliate_id?: string | undefined } = {},
): Promise<PendingPromoCodes> {
  const found = await findOpenAssignments(ctx, affiliate_id);
  const open = seesLiveOnly(ctx) ? found.filter(({ input }) => input.livemode) : found;
  return {
    data: open.map(({ id, kind, input, is_running, created_at }) => ({
      id,
      affiliate_id: input.affiliate_id,
      type: kind,
      livemode: input.livemode,
      code: input.code ?? null,
      psp_coupon_id: input.psp_coupon_id ?? null,
      psp_promotion_code_id: input.psp_promotion_code_id ?? null,
      is_running,
      created_at,
    })),
  };
}

async function findMatches(ctx: Ctx, { codes, livemode }: CodesConnection, code: string): Promise<PromoCodeMatch[]> {
  const found = await codes.promotionCodesByCode(code).catch(refuse);
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
      livemode: match.mode === 'live',
      observation: observationOf(match),
      assignment_id: owner?.id ?? null,
      affiliate_id: owner?.affiliate_id ?? null,
      status: owner?.status ?? null,
    };
  });
}

async function findDiscounts({ codes }: CodesConnection): Promise<Discount[]> {
  return (await codes.validCoupons().catch(refuse)).map(discountOf);
}
