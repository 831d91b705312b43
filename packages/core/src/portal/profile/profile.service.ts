import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { getProfile } from './profile.queries.ts';
import type { PortalProfile, UpdateProfile } from './profile.schema.ts';

/** Changes the affiliate's names. */
export async function updateProfile(ctx: AffiliateWriteCtx, input: UpdateProfile): Promise<PortalProfile> {
  await updateAffiliate(ctx.tx, { id: ctx.affiliate.id, ...input });
  return getProfile(ctx);
}
