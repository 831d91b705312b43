import { carryDebts } from '../ledger/earning/carry-debts.ts';
import type { WriteCtx } from '../platform/call/context.ts';
import { confirmWrites } from '../platform/call/records.ts';
import { sameText } from '../platform/db/conditions.ts';
import { LostRace, isViolationOf } from '../platform/errors/constraints.ts';
import { invalid } from '../platform/errors/errors.ts';
import type { CreateAffiliate, PlainAffiliate } from '../program/affiliates/affiliate.schema.ts';
import { addAffiliate } from '../program/affiliates/affiliate.service.ts';
import { changeAffiliate } from './change-affiliate.ts';
import { ATTRIBUTION_REASONS } from './reasons.ts';

/**
 * Creates an affiliate, or changes the one with the same `external_id` or, without one, the same email address. An affiliate with the same email
 * address who has no `external_id` yet gets it. Archived affiliates are not found.
 *
 * @returns the affiliate, and whether this call created it
 * @throws VALIDATION_ERROR, including for an email address of an affiliate with another `external_id`; LostRace if a concurrent request has
 * created the same affiliate
 */
export async function upsertAffiliate(
  ctx: WriteCtx,
  { external_id, ...others }: CreateAffiliate,
): Promise<{ record: PlainAffiliate; created: boolean }> {
  const fields = external_id == null ? others : { ...others, external_id };
  const found = await findAffiliate(ctx, external_id ?? null, fields.email);
  if (found !== undefined)
    return { record: await changeAffiliate(ctx, { id: found, ...fields, move_links: false }), created: false };
  try {
    const record = await addAffiliate(ctx, fields, carryDebts);
    await confirmWrites(ctx);
    return { record, created: true };
  } catch (error) {
    throw ['affiliate_email', 'affiliate_external_id'].some((index) => isViolationOf(error, index)) ? new LostRace() : error;
  }
}

/** Throws VALIDATION_ERROR if the address belongs to an affiliate with another `external_id`, and nobody has this one. */
async function findAffiliate({ db, accountId }: WriteCtx, externalId: string | null, email: string): Promise<string | undefined> {
  const rows = await db
    .selectFrom('affiliate')
    .select(['id', 'external_id'])
    .where('account_id', '=', accountId)
    .where('archived_at', 'is', null)
    .where((where) => where.or([where('external_id', '=', externalId), sameText('email', email)]))
    .execute();
  if (externalId === null) return rows[0]?.id;
  const found = rows.find(({ external_id }) => external_id === externalId) ?? rows[0];
  if (found && found.external_id !== null && found.external_id !== externalId)
    throw invalid('email', ATTRIBUTION_REASONS.email_of_other_affiliate, 'taken');
  return found?.id;
}
