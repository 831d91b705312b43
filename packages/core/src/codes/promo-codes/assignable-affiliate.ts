import type { Ctx } from '../../platform/call/context.ts';
import { seesLiveOnly } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type ConnectionWith, openWith } from '../../sources/connections/open-connection.ts';
import { notConnected } from '../../sources/port/psp-error.ts';
import { CODE_REASONS } from '../reasons.ts';

/** A connection to a provider of promotion codes. */
export type CodesConnection = ConnectionWith<'codes'>;

/** An affiliate to whom promo codes can be assigned, and the account's connection to the provider. */
export interface AssignableAffiliate {
  affiliateId: string;
  campaignId: string;
  connection: CodesConnection;
}

/**
 * Checks that the account has a connected provider, and that the affiliate and its campaign are active (docs/rules/codes.md#promo-codes).
 *
 * @throws NOT_FOUND, PSP_NOT_CONNECTED, VALIDATION_ERROR
 */
export async function assignableAffiliate(ctx: Ctx, affiliateId: string): Promise<AssignableAffiliate> {
  const row = foundOrThrow(
    await ctx.db
      .selectFrom('affiliate')
      .innerJoin('campaign', 'campaign.id', 'affiliate.campaign_id')
      .select([
        'affiliate.campaign_id',
        'affiliate.state',
        'affiliate.archived_at',
        'campaign.archived_at as campaign_archived_at',
      ])
      .where('affiliate.account_id', '=', ctx.accountId)
      .where('affiliate.id', '=', affiliateId)
      .executeTakeFirst(),
    'affiliate',
  );
  const connection = await openWith(ctx.services, ctx.db, ctx.accountId, 'codes');
  if (!connection) throw notConnected();
  if (!connection.livemode && seesLiveOnly(ctx)) throw invalid('affiliate_id', CODE_REASONS.key_of_live_mode, 'other_mode');
  assertAssignable(row, { archived_at: row.campaign_archived_at });
  return { affiliateId, campaignId: row.campaign_id, connection };
}

/** Throws VALIDATION_ERROR unless the affiliate and the campaign are active. */
export function assertAssignable(
  affiliate: Pick<TableRow<'affiliate'>, 'state' | 'archived_at'>,
  campaign: Pick<TableRow<'campaign'>, 'archived_at'>,
): void {
  if (affiliate.state !== 'active' || affiliate.archived_at !== null)
    throw invalid('affiliate_id', CODE_REASONS.affiliate_not_active, 'affiliate_inactive');
  if (campaign.archived_at !== null)
    throw invalid('affiliate_id', CODE_REASONS.campaign_of_affiliate_archived, 'campaign_archived');
}
