import { sql } from 'kysely';
import { foundOrThrow } from '../../platform/call/records.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { addressFieldsOf } from '../../program/payout-methods/address-fields.schema.ts';
import { openAddresses } from '../../program/payout-methods/payout-addresses.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { type PayoutDetails, type PortalProfile, type PortalPromoCode, StoredProfile } from './profile.schema.ts';

export async function getProfile({ mine, now }: Pick<AffiliateCtx, 'mine' | 'now'>): Promise<PortalProfile> {
  const row = await mine('affiliate')
    .selectFrom('affiliate')
    .select([...fieldNames(StoredProfile), 'created_at as joined_at', sql<boolean>`emails_ended_at is null`.as('gets_emails')])
    .executeTakeFirst();
  const change = await mine('email_change')
    .selectFrom('email_change')
    .select(['new_email', 'expires_at', 'former_token_hash', 'new_token_hash'])
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const key = await mine('portal_access')
    .selectFrom('portal_access')
    .select(['created_at', 'expires_at'])
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const terms = await mine('program_terms', 'terms_acceptance')
    .selectFrom('terms_acceptance')
    .innerJoin('program_terms', 'program_terms.version', 'terms_acceptance.version')
    .select(['program_terms.version', 'program_terms.body', 'terms_acceptance.accepted_at'])
    .orderBy('program_terms.version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...foundOrThrow(row, 'affiliate'),
    accepted_terms: terms ?? null,
    key: key ?? null,
    email_change: change
      ? {
          new_email: change.new_email,
          present_agreed: change.former_token_hash === null,
          new_agreed: change.new_token_hash === null,
          expires_at: change.expires_at,
        }
      : null,
  };
}

export async function getPayoutDetails({ mine, secrets }: AffiliateCtx): Promise<PayoutDetails> {
  const affiliate = await mine('affiliate').selectFrom('affiliate').select('payouts_held_until').executeTakeFirst();
  const methods = await mine('payout_method')
    .selectFrom('payout_method')
    .select(['kind', 'sealed_address'])
    .where('retired_at', 'is', null)
    .execute();
  const sealed = Object.fromEntries(methods.map(({ kind, sealed_address }) => [kind, sealed_address!]));
  return { ...addressFieldsOf(openAddresses(secrets, sealed)), ...foundOrThrow(affiliate, 'affiliate') };
}

/** Lists the affiliate's promo codes, newest first. */
export async function listOwnPromoCodes({ mine }: AffiliateCtx): Promise<{ data: PortalPromoCode[] }> {
  const data = await mine('promo_code', 'campaign')
    .selectFrom('promo_code')
    .leftJoin('campaign', 'campaign.id', 'promo_code.campaign_id')
    .select(['promo_code.code', 'promo_code.status', 'campaign.name as campaign_name'])
    .orderBy('promo_code.id', 'desc')
    .execute();
  return { data };
}
