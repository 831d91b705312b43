import { z } from 'zod';
import { languageOfAffiliate } from '../../identity/affiliations/mail-language.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import { hashSecret, newSecret } from '../../identity/credentials/secret.ts';
import { moveUserToEmail, userWithAddress } from '../../identity/sign-in-links/sign-in-link.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { flagSelfReferrals } from '../../ledger/earning/flag-commission.ts';
import type { PublicCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { jobOf } from '../../platform/mail/mailer.ts';
import { enqueueMail, enqueueMails } from '../../platform/mail/outbox.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { email } from '../../platform/wire/scalars.ts';
import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { emailsShown } from '../../program/payout-methods/address-fields.schema.ts';
import type { AffiliateWriteCtx } from '../access/affiliate-context.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import type { PortalProfile } from '../profile/profile.schema.ts';
import { getProfile } from '../profile/profile.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import { assertTermsAccepted } from '../terms/terms.ts';

export const RequestEmailChange = z.strictObject({ new_email: email() });
export type RequestEmailChange = z.infer<typeof RequestEmailChange>;

export const CancelEmailChange = z.strictObject({});

export const AnswerEmailChange = z.strictObject({
  token: z.string().min(1).max(200),
  answer: z.enum(['agree', 'refuse']).describe('`agree` confirms the change, `refuse` cancels the change.'),
});
export type AnswerEmailChange = z.infer<typeof AnswerEmailChange>;

export const EmailChangeAnswered = z.object({
  state: z
    .enum(['waiting', 'changed', 'refused'])
    .describe(
      '`waiting`: the owner of the other address has not answered yet. `changed`: both owners have confirmed. `refused`: nothing is changed.',
    ),
  account_name: z.string(),
});
export type EmailChangeAnswered = z.infer<typeof EmailChangeAnswered>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /**
     * A requested change of an affiliate's email address. The row is kept until both owners have confirmed, one has refused, or it expires. A new
     * request replaces it.
     */
    email_change: {
      affiliate_id: string;
      account_id: string;
      former_email: string;
      new_email: string;
      /** The user in whose session the change was requested. Null if a link or token had opened the portal; then no user's sign-in address changes. */
      user_id: string | null;
      /** Hash of the token for the owner of this address. Null once that owner has confirmed. */
      former_token_hash: string | null;
      new_token_hash: string | null;
      expires_at: Instant;
    };
  }
}

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
 * Requests a change of the affiliate's address. Emails one link to the current address and one to the new address. Both owners must confirm
 * (docs/rules/portal.md#email-addresses-of-affiliates). Does not reveal whether another affiliate has the new address.
 *
 * @throws VALIDATION_ERROR if the new address is the current one; FORBIDDEN while the affiliate has not accepted the current terms
 */
export async function requestEmailChange(ctx: AffiliateWriteCtx, { new_email }: RequestEmailChange): Promise<PortalProfile> {
  const { tx, affiliate, publicUrl, userId } = ctx;
  await assertTermsAccepted(ctx);
  const { email: former_email } = await getProfile(ctx);
  if (new_email.toLowerCase() === former_email.toLowerCase())
    throw invalid('new_email', PORTAL_REASONS.same_address, 'unchanged');
  const [former, next] = [newSecret('sil'), newSecret('sil')];
  const expires_at = plusMilliseconds(toInstant(tx.services.clock.now()), TERM_MS);
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
  const [of, account] = [{ language, letterhead }, letterhead.name];
  // Not at the merchant's host, where the merchant could read the tokens. Anyone who has both can change a person's address in all accounts.
  const linkOf = (token: string) => `${publicUrl}/join/email#token=${token}`;
  const mails = [
    composeTexts({ to: former_email, ...of }, PORTAL_MAILS.formerAddress, linkOf(former), { account, email: new_email }),
    composeTexts({ to: new_email, ...of }, PORTAL_MAILS.newAddress, linkOf(next), { account }),
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

/**
 * Records the answer of one address owner to a requested change. Once both owners have confirmed, the affiliate gets the new address. If the
 * person was signed in when requesting the change, and signs in with the former address, the person's sign-in address changes too
 * (docs/rules/portal.md#email-addresses-of-affiliates).
 *
 * @throws NOT_FOUND for a link that is unknown, expired or used; VALIDATION_ERROR when another affiliate has taken the address
 */
export async function answerEmailChange(
  { services, requestId }: PublicCtx,
  { token, answer }: AnswerEmailChange,
): Promise<EmailChangeAnswered> {
  const hash = hashSecret(token);
  const known = await services.database.kysely
    .selectFrom('email_change')
    .select(['account_id', 'affiliate_id'])
    .where((eb) => eb.or([eb('former_token_hash', '=', hash), eb('new_token_hash', '=', hash)]))
    .where('expires_at', '>', toInstant(services.clock.now()))
    .executeTakeFirst();
  if (!known) throw unknownLink();
  return inTransaction(systemContext(services, known.account_id, requestId), async (ctx) => {
    // Makes concurrent answers from the old and the new address wait for each other, so that the second answer sees the first.
    await lockAffiliate(ctx, known.affiliate_id);
    const change = await ctx.db
      .selectFrom('email_change')
      .selectAll()
      .where('affiliate_id', '=', known.affiliate_id)
      .where((eb) => eb.or([eb('former_token_hash', '=', hash), eb('new_token_hash', '=', hash)]))
      .executeTakeFirst();
    if (!change) throw unknownLink();
    const { name: account_name } = await loadLetterhead(ctx.db, services.publicUrl, ctx.accountId);
    if (answer === 'refuse') {
      await forget(ctx, change);
      return { state: 'refused', account_name };
    }
    const agreed = change.former_token_hash === hash ? 'former_token_hash' : 'new_token_hash';
    if (agreed === 'new_token_hash') await assertFree(ctx, change);
    await ctx.db
      .updateTable('email_change')
      .set({ [agreed]: null })
      .where('affiliate_id', '=', change.affiliate_id)
      .execute();
    const other = agreed === 'former_token_hash' ? change.new_token_hash : change.former_token_hash;
    if (other !== null) return { state: 'waiting', account_name };
    await apply(ctx, change);
    return { state: 'changed', account_name };
  });
}

async function apply(ctx: WriteCtx, change: TableRow<'email_change'>): Promise<void> {
  const { affiliate_id, former_email, new_email } = change;
  const affiliate = await ctx.db
    .selectFrom('affiliate')
    .select(['email', 'user_id'])
    .where('id', '=', affiliate_id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  // The merchant may have changed the affiliate's address since the request.
  if (affiliate?.email !== former_email) throw unknownLink();
  await assertFree(ctx, change);
  const record = await updateAffiliate(ctx, { id: affiliate_id, email: new_email });
  const others = emailsShown(record);
  await flagSelfReferrals(ctx, affiliate_id, [former_email, ...others], [record.email, ...others]);
  const user_id = await userOfNewAddress(ctx, change, affiliate.user_id ?? null);
  await ctx.db.updateTable('affiliate').set({ user_id }).where('id', '=', affiliate_id).execute();
  await forget(ctx, change);
  const letterhead = await loadLetterhead(ctx.db, ctx.services.publicUrl, ctx.accountId);
  const language = await languageOfAffiliate(ctx.db, affiliate_id);
  const mail = composeTexts(
    { to: former_email, language, letterhead },
    PORTAL_MAILS.addressChanged,
    `${letterhead.portalUrl}/portal`,
    { account: letterhead.name, email: new_email },
  );
  const purpose = { kind: 'email_changed', priority: 'urgent', accountId: ctx.accountId } as const;
  await enqueueMail(ctx.services, ctx.db, purpose, mail, plusDays(ctx.now, 7));
  ctx.afterCommit(() => ctx.services.jobs.send(jobOf(purpose)));
}

/**
 * Returns the id of the affiliate's user after the change. A change that was requested without the person's session may come from the merchant,
 * who can open any affiliate's portal and controls where links to the portal lead. That change therefore affects this affiliate only, and the
 * person's sign-in address stays the same.
 */
function userOfNewAddress(ctx: WriteCtx, change: TableRow<'email_change'>, present: string | null): Promise<string | null> {
  const { user_id, former_email, new_email } = change;
  if (user_id !== null && (present === null || present === user_id))
    return moveUserToEmail(ctx, { userId: user_id, from: former_email, to: new_email });
  return userWithAddress(ctx, new_email);
}

/**
 * Throws VALIDATION_ERROR if another affiliate has the new address. Called only after the owner of the new address has confirmed, so that nobody
 * else learns whether the address is taken.
 */
async function assertFree(ctx: WriteCtx, { affiliate_id, new_email }: TableRow<'email_change'>): Promise<void> {
  const taken = await ctx.db
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('archived_at', 'is', null)
    .where('id', '<>', affiliate_id)
    .where(sameText('email', new_email))
    .executeTakeFirst();
  if (taken) throw invalid('token', PORTAL_REASONS.address_of_other_affiliate, 'taken');
}

async function forget(ctx: WriteCtx, { affiliate_id }: TableRow<'email_change'>): Promise<void> {
  await ctx.db.deleteFrom('email_change').where('affiliate_id', '=', affiliate_id).execute();
}

function unknownLink(): DomainError {
  return new DomainError('NOT_FOUND', PORTAL_REASONS.email_change_link_invalid);
}
