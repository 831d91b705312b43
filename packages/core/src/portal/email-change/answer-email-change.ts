import { languageOfAffiliate } from '../../identity/affiliations/mail-language.ts';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import { hashSecret } from '../../identity/credentials/secret.ts';
import { moveUserToEmail } from '../../identity/auth-library/user-email.ts';
import { holderOf } from '../../identity/sign-in-links/sign-in-link.ts';
import type { PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { jobOf } from '../../platform/mail/purpose.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { updateAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { addressChangedMail } from './email-change-mail.ts';
import type { AnswerEmailChange, EmailChangeAnswered } from './email-change.schema.ts';

/**
 * Records the answer of one address holder to a requested change. Once both holders have confirmed, the affiliate gets the new address. If the
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
  await updateAffiliate(ctx, { id: affiliate_id, email: new_email });
  const user_id = await newHolder(ctx, change, affiliate.user_id ?? null);
  await ctx.db.updateTable('affiliate').set({ user_id }).where('id', '=', affiliate_id).execute();
  await forget(ctx, change);
  const letterhead = await loadLetterhead(ctx.db, ctx.services.publicUrl, ctx.accountId);
  const language = await languageOfAffiliate(ctx.db, affiliate_id);
  const mail = addressChangedMail({ to: former_email, language, letterhead, newEmail: new_email });
  const purpose = { kind: 'email_changed', priority: 'urgent', accountId: ctx.accountId } as const;
  await enqueueMail(ctx.services, ctx.db, purpose, mail, plusDays(ctx.now, 7));
  ctx.afterCommit(() => ctx.services.jobs.send(jobOf(purpose)));
}

/**
 * Returns the id of the affiliate's user after the change. A change that was requested without the person's session may come from the merchant,
 * who can open any affiliate's portal and controls where links to the portal lead. That change therefore affects this affiliate only, and the
 * person's sign-in address stays the same.
 */
function newHolder(ctx: WriteCtx, change: TableRow<'email_change'>, present: string | null): Promise<string | null> {
  const { user_id, former_email, new_email } = change;
  if (user_id !== null && (present === null || present === user_id))
    return moveUserToEmail(ctx, { userId: user_id, from: former_email, to: new_email });
  return holderOf(ctx, new_email);
}

/**
 * Throws VALIDATION_ERROR if another affiliate has the new address. Called only after the holder of the new address has confirmed, so that nobody
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
  if (taken) throw invalid('token', 'Another affiliate in this program already uses this address.', 'taken');
}

async function forget(ctx: WriteCtx, { affiliate_id }: TableRow<'email_change'>): Promise<void> {
  await ctx.db.deleteFrom('email_change').where('affiliate_id', '=', affiliate_id).execute();
}

function unknownLink(): DomainError {
  return new DomainError('NOT_FOUND', 'This link has expired or has already been used. Request the change again.');
}
