import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { getProfile } from './profile.queries.ts';
import type { PortalProfile, UpdateProfile } from './profile.schema.ts';

/** Changes the affiliate's names, and how often they get mail. */
export async function updateProfile(ctx: AffiliateWriteCtx, { digest, ...names }: UpdateProfile): Promise<PortalProfile> {
  await updateAffiliate(ctx.tx, { id: ctx.affiliate.id, ...names });
  if (digest !== undefined) await ctx.tx.db.updateTable('affiliate').set({ digest }).where('id', '=', ctx.affiliate.id).execute();
  return getProfile(ctx);
}
