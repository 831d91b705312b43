import { languageOfAffiliate } from '../../identity/affiliations/mail-language.ts';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import { hashSecret, newSecret } from '../../identity/credentials/secret.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Services } from '../../platform/call/context.ts';
import { type MustStop, purgeExpired } from '../../platform/db/purge-in-batches.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { enqueueMails } from '../../platform/mail/outbox.ts';
import { jobOf } from '../../platform/mail/purpose.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { getProfile } from '../profile/profile.queries.ts';
import type { PortalProfile } from '../profile/profile.schema.ts';
import { assertTermsAccepted } from '../terms/terms-gate.ts';
import { formerAddressMail, newAddressMail } from './email-change-mail.ts';
import type { RequestEmailChange } from './email-change.schema.ts';

const TERM_MS = 24 * 3_600_000;
/** Maximum numbers of requests per hour by one affiliate, and for one new address. Each request causes an email to the new address. */
const PER_AFFILIATE = { max: 5, windowSeconds: 3_600 };
const PER_EMAIL = { max: 3, windowSeconds: 3_600 };

/**
 * Counts a request before its transaction begins, so that a refused request counts too. Throws RATE_LIMITED after too many requests by the
 * affiliate or for the new address.
 */
export async function countEmailChange(
  services: Services,
  affiliateId: string,
  { new_email }: RequestEmailChange,
): Promise<void> {
  await countAttempt(services, `e-mail change of ${affiliateId}`, PER_AFFILIATE);
  await countAttempt(services, `e-mail change to ${new_email.toLowerCase()}`, PER_EMAIL);
}

/**
 * Requests a change of the affiliate's address. Emails one link to the current address and one to the new address. Both holders must confirm
 * (docs/rules/portal.md#email-addresses-of-affiliates). Does not reveal whether another affiliate has the new address.
 *
 * @throws VALIDATION_ERROR if the new address is the current one; FORBIDDEN while the affiliate has not accepted the current terms
 */
export async function requestEmailChange(ctx: AffiliateWriteCtx, { new_email }: RequestEmailChange): Promise<PortalProfile> {
  const { tx, affiliate, publicUrl, userId } = ctx;
  await assertTermsAccepted(ctx);
  const { email: former_email } = await getProfile(ctx);
  if (new_email.toLowerCase() === former_email.toLowerCase())
    throw invalid('new_email', 'This is already your address. Enter another one.', 'unchanged');
  const [former, next] = [newSecret('sil'), newSecret('sil')];
  const expires_at = plusMilliseconds(tx.now, TERM_MS);
  const change = {
    account_id: affiliate.account_id,
    former_email,
    new_email,
    user_id: userId,
    former_token_hash: hashSecret(former),
    new_token_hash: hashSecret(next),
    expires_at,
  };
  await tx.db
    .insertInto('email_change')
    .values({ affiliate_id: affiliate.id, ...change })
    .onConflict((conflict) => conflict.column('affiliate_id').doUpdateSet(change))
    .execute();
  const letterhead = await loadLetterhead(tx.db, publicUrl, affiliate.account_id);
  const language = await languageOfAffiliate(tx.db, affiliate.id);
  const mails = [
    formerAddressMail({ to: former_email, language, letterhead, newEmail: new_email, publicUrl, token: former }),
    newAddressMail({ to: new_email, language, letterhead, publicUrl, token: next }),
  ];
  const purpose = { kind: 'email_change', priority: 'urgent', accountId: affiliate.account_id } as const;
  await enqueueMails(tx.services, tx.db, purpose, mails, expires_at);
  tx.afterCommit(() => tx.services.jobs.send(jobOf(purpose)));
  return getProfile(ctx);
}

/** Withdraws the requested change, if any. Its links stop working. */
export async function cancelEmailChange(ctx: AffiliateWriteCtx): Promise<PortalProfile> {
  await ctx.tx.db.deleteFrom('email_change').where('affiliate_id', '=', ctx.affiliate.id).execute();
  return getProfile(ctx);
}

/** Deletes requested changes that were not confirmed in time. Returns the number deleted. */
export function purgeEmailChanges({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  return purgeExpired(database.kysely, { table: 'email_change', key: 'affiliate_id' }, toInstant(clock.now()), mustStop);
}
