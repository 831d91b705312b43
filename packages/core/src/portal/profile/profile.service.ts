import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { chooseDigest } from '../notices/choose-digest.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { getProfile } from './profile.queries.ts';
import type { PortalProfile, UpdateProfile } from './profile.schema.ts';

/** Changes the affiliate's names, and how often the affiliate gets digests. */
export async function updateProfile(ctx: AffiliateWriteCtx, { digest, ...names }: UpdateProfile): Promise<PortalProfile> {
  if (Object.keys(names).length > 0) await updateAffiliate(ctx.tx, { id: ctx.affiliate.id, ...names });
  if (digest !== undefined) await chooseDigest(ctx.tx.db, ctx.affiliate.id, digest);
  return getProfile(ctx);
}
