import { shownState } from '../../identity/affiliations/affiliations.ts';
import { BRAND_NAME } from '../../identity/branding/branding.ts';
import { hashSecret } from '../../identity/credentials/secret.ts';
import { createSignInLink, userWithAddress } from '../../identity/sign-in-links/sign-in-link.ts';
import { carryDebts } from '../../ledger/earning/carry-debts.ts';
import { isServedHere } from '../../platform/call/caller.ts';
import type { PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import { createAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { giveFirstLink } from '../../program/links/link.service.ts';
import { createMailedLink } from '../entry/portal-access.ts';
import { hasSecondFactor } from '../entry/portal-affiliate.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import type { ConfirmedApplication } from './application.schema.ts';
import { stateOfApplicant } from './decide-applications.ts';

/** Number of seconds for which the tokens in the response can be used. The page that confirmed the application uses them at once. */
const ENTRY_SECONDS = 60;
const MAILS = {
  pending: 'application_received',
  active: 'application_approved',
  rejected: 'application_rejected',
} as const;

/**
 * Confirms the address of an application. The applicant becomes an affiliate, in the state that the account's approval setting determines. The
 * response has a token with which the page signs the applicant in or, on a portal host, opens the portal without signing in.
 *
 * @throws NOT_FOUND for a link that is unknown, expired or used
 */
export async function confirmApplication(
  { services, requestId, hostAccountId }: PublicCtx,
  { token }: { token: string },
): Promise<ConfirmedApplication> {
  const known = await services.database.kysely
    .selectFrom('application')
    .select('account_id')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', toInstant(services.clock.now()))
    .executeTakeFirst();
  if (!known || !isServedHere({ hostAccountId }, known.account_id)) throw unknownLink();
  return inTransaction(systemContext(services, known.account_id, requestId), async (ctx) => {
    const application = await ctx.db
      .deleteFrom('application')
      .where('token_hash', '=', hashSecret(token))
      .returningAll()
      .executeTakeFirst();
    if (!application) throw unknownLink();
    const account = await ctx.db
      .selectFrom('account')
      .select([BRAND_NAME.as('name'), 'approval', 'approved_domains', 'rejected_domains'])
      .where('id', '=', ctx.accountId)
      .executeTakeFirstOrThrow();
    const { email, campaign_id, first_name, last_name } = application;
    const state = stateOfApplicant(account, email);
    const affiliate = await createAffiliate(ctx, { email, campaign_id, first_name, last_name, state }, carryDebts);
    if (state === 'active') await giveFirstLink(ctx, affiliate, application.link_code);
    const isNew = await bindPerson(ctx, affiliate.id, email);
    // The merchant can read requests to the portal host, so a link that leads to this host may be used by the merchant. Such a link therefore does
    // not sign in: it only opens the portal of this affiliate.
    const entry =
      application.on_portal_host || hostAccountId !== undefined
        ? { sign_in_token: null, portal_token: await portalToken(ctx, affiliate) }
        : {
            sign_in_token: isNew ? await createSignInLink(services, ctx.db, { email, seconds: ENTRY_SECONDS }) : null,
            portal_token: null,
          };
    await acceptAppliedTerms(ctx, affiliate.id, application);
    await keepAnswers(ctx, affiliate.id, application, state);
    await mailAffiliates(ctx, MAILS[state], [{ affiliate_id: affiliate.id, to: email, values: { note: '' } }]);
    return { account_name: account.name, state: shownState(affiliate.state), ...entry };
  });
}

/** Returns a token that opens the affiliate's portal. Null for a person with a second factor, who must sign in at the service's own host. */
async function portalToken(ctx: WriteCtx, { id, email }: { id: string; email: string }): Promise<string | null> {
  if (await hasSecondFactor(ctx.db, id)) return null;
  return (await createMailedLink(ctx, { id, email }, ENTRY_SECONDS)).token;
}

async function keepAnswers(
  ctx: WriteCtx,
  affiliateId: string,
  { answers, language, link_code, created_at }: TableRow<'application'>,
  state: keyof typeof MAILS,
): Promise<void> {
  await ctx.db
    .insertInto('affiliate_application')
    .values({
      affiliate_id: affiliateId,
      account_id: ctx.accountId,
      answers: JSON.stringify(answers),
      note: null,
      language,
      link_code,
      applied_at: created_at,
      decided_at: state === 'pending' ? null : ctx.now,
    })
    .execute();
}

/**
 * Links the affiliate to the user with the given email address, which the applicant has confirmed through the emailed link. Creates the user if
 * nobody has the address.
 *
 * @returns true if the user was created; existing users sign in as usual
 */
async function bindPerson(ctx: WriteCtx, affiliateId: string, email: string): Promise<boolean> {
  const existing = await ctx.db.selectFrom('auth_user').select('id').where(sameText('email', email)).executeTakeFirst();
  const userId = await userWithAddress(ctx, email);
  await ctx.db.updateTable('affiliate').set({ user_id: userId }).where('id', '=', affiliateId).execute();
  return !existing;
}

async function acceptAppliedTerms(ctx: WriteCtx, affiliateId: string, application: TableRow<'application'>): Promise<void> {
  if (application.terms_version === null) return;
  const { body_hash } = await ctx.db
    .selectFrom('program_terms')
    .select('body_hash')
    .where('account_id', '=', ctx.accountId)
    .where('version', '=', application.terms_version)
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('terms_acceptance')
    .values({
      affiliate_id: affiliateId,
      version: application.terms_version,
      account_id: ctx.accountId,
      body_hash,
      client_address: application.client_address,
      accepted_at: application.created_at,
      accepted_in: 'application',
    })
    .execute();
}

function unknownLink(): DomainError {
  return new DomainError('NOT_FOUND', PORTAL_REASONS.application_link_invalid);
}
