import { languageOfAffiliate } from '../../identity/affiliations/mail-language.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import type { Services } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { type Purpose, jobOf } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { AffiliateWriteCtx, PortalAffiliate } from '../access/affiliate-context.ts';
import type { RequestedCode } from '../entry/portal-access.schema.ts';
import { createMailedCode } from '../entry/portal-access.ts';
import { hasSecondFactor } from '../entry/portal-affiliate.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import { PORTAL_REASONS } from '../reasons.ts';

/** Limits of codes per hour. Programs of the merchant can ask for codes, too. */
const PER_AFFILIATE = { max: 5, windowSeconds: 3_600 };
const PER_ACCOUNT = { max: 500, windowSeconds: 3_600 };

/** Counts a request for a code. Throws RATE_LIMITED. */
export async function countCode(services: Services, { id, account_id }: PortalAffiliate): Promise<void> {
  await countAttempt(services, `portal codes of ${id}`, PER_AFFILIATE);
  await countAttempt(services, `portal codes in ${account_id}`, PER_ACCOUNT);
}

/**
 * Emails a code to the affiliate, with which they confirm in a portal on a merchant's site that it is them (docs/rules/portal.md#portal-links).
 *
 * @throws FORBIDDEN for a person with a second factor, who must sign in at the service's own host
 */
export async function mailCode({ tx, mine, affiliate }: AffiliateWriteCtx): Promise<RequestedCode> {
  if (await hasSecondFactor(tx.db, affiliate.id))
    throw new DomainError('FORBIDDEN', PORTAL_REASONS.second_factor_closes_links, { reason: 'second_factor' });
  const { email } = foundOrThrow(await mine('affiliate').selectFrom('affiliate').select('email').executeTakeFirst(), 'affiliate');
  const { services, db, accountId } = tx;
  const { challenge, code, expires_at } = await createMailedCode(tx, { id: affiliate.id, email });
  const language = await languageOfAffiliate(db, affiliate.id);
  const letterhead = await loadLetterhead(db, services.publicUrl, accountId);
  const purpose: Purpose = { kind: 'portal_code', priority: 'urgent', accountId: null };
  const texts = { ...PORTAL_MAILS.portalCode, link: PORTAL_MAILS.portalLink.link };
  const values = { account: letterhead.name, code: `${code.slice(0, 4)} ${code.slice(4)}` };
  const mail = composeTexts({ to: email, language, letterhead }, texts, `${letterhead.portalUrl}/portal`, values);
  await enqueueMail(services, db, purpose, mail, expires_at);
  tx.afterCommit(() => services.jobs.send(jobOf(purpose)));
  return { challenge, expires_at };
}
