import type { ColumnType, Generated } from 'kysely';
import { countAttempt, recordAttempt } from '../../identity/auth-library/attempts.ts';
import { brandOf, LETTERHEAD, letterheadOf } from '../../identity/branding/branding.ts';
import { hashSecret, newSecret } from '../../identity/credentials/secret.ts';
import { clientNetwork } from '../../identity/sessions/client-network.ts';
import { turnOfNetwork } from '../../identity/sign-in-links/link-turn.ts';
import { mailSignInLink } from '../../identity/sign-in-links/sign-in-link.ts';
import { isServedHere } from '../../platform/call/caller.ts';
import type { PublicCtx, Services } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { assertChoosable } from '../../program/links/link-token.ts';
import type { PortalAccessKind } from '../entry/portal-access.tables.ts';
import { findPromise, rewardInLanguages, rewardInWords } from '../home/reward.ts';
import { mailPortalLink } from '../host/portal-host.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import type { Apply, CheckJoinCode, GetJoinPage, JoinPage } from './application.schema.ts';
import { type Answer, checkAnswers } from './questions.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** An application whose email address is not confirmed yet. Confirming the address creates an affiliate and deletes this row. */
    application: {
      id: string;
      account_id: string;
      campaign_id: string;
      email: string;
      first_name: string | null;
      last_name: string | null;
      terms_version: number | null;
      answers: ColumnType<Answer[], string>;
      client_address: string;
      token_hash: string;
      /** True if the emailed link leads to the merchant's own host name, where the merchant may read it. */
      on_portal_host: boolean;
      /** Language of the page on which the application was filled in. */
      language: Generated<Language | null>;
      /** Token that the applicant has chosen for the first link. */
      link_code: Generated<string | null>;
      expires_at: Instant;
      created_at: Instant;
    };
    /** An affiliate's application: the answers to the account's questions, and the merchant's note. */
    affiliate_application: {
      affiliate_id: string;
      account_id: string;
      answers: ColumnType<Answer[], string, never>;
      note: string | null;
      /** Language of the page on which the application was filled in. */
      language: Generated<Language | null>;
      /** Token that the applicant has chosen for the first link. */
      link_code: Generated<string | null>;
      applied_at: Instant;
      decided_at: Instant | null;
    };
    /** A version of the terms of an account's program. Versions are never changed. */
    program_terms: {
      account_id: string;
      version: number;
      body: string;
      body_hash: string;
      /** The merchant's words about what changes; null if there are none. */
      summary: string | null;
      /** Time from which affiliates need to have accepted this version (docs/rules/portal.md#new-terms). */
      applies_from: Instant;
      published_at: Instant;
    };
    /** Proof that an affiliate has accepted a version of the terms. */
    terms_acceptance: {
      affiliate_id: string;
      version: number;
      account_id: string;
      body_hash: string;
      client_address: string;
      accepted_at: Instant;
      /** With the application, after a sign-in, or in a portal that was opened in this way. */
      accepted_in: 'application' | 'session' | PortalAccessKind;
    };
  }
}

/**
 * Minimum and maximum time between opening the page and sending the form. A form that is sent sooner was filled in by a program. A form that is
 * sent later may be outdated.
 */
const FASTEST_MS = 2_000;
const SLOWEST_MS = 24 * 3_600_000;
const CONFIRM_MS = 24 * 3_600_000;
/** Limits of applications per hour, from one network and to one address. Each application to an address causes an email. */
const PER_NETWORK = { max: 20, windowSeconds: 3_600 };
/** Limit of checks per hour, one for each pause in typing, from one network. */
const CODES_PER_NETWORK = { max: 300, windowSeconds: 3_600 };
const PER_EMAIL = { max: 3, windowSeconds: 3_600 };
/** Limit of sign-in links to one address, for applications to all programs together. */
const LINKS_PER_PERSON = { max: 5, windowSeconds: 3_600 };

/** Returns the sign-up page of a campaign. Throws NOT_FOUND for an unknown, private or archived campaign. */
export async function getJoinPage(ctx: PublicCtx, input: GetJoinPage): Promise<JoinPage> {
  const { services } = ctx;
  const { account, campaign, terms } = await findJoinable(ctx, input);
  const { rewards, hasExceptions } = await findPromise(services, campaign);
  return {
    account_name: account.name,
    brand: brandOf(account),
    support_email: account.support_email,
    campaign_name: campaign.name,
    reward: rewardInWords(campaign, 'en', hasExceptions),
    reward_in: rewardInLanguages(campaign, hasExceptions),
    rewards,
    welcome_text: campaign.welcome_text,
    terms: terms ? { version: terms.version, body: terms.body } : null,
    questions: account.application_questions,
    form_token: services.secrets.seal(String(services.clock.now().getTime())),
  };
}

/**
 * Stores an application, and emails a link that confirms the address (docs/rules/portal.md#applications). Stores nothing if an affiliate already has
 * the address; the affiliate gets a sign-in link instead. Also stores nothing if the hidden field is filled in, because only bots do that. The
 * response is the same in all cases.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for terms that are not accepted, a link code that is taken, and a form that was open for too long; RATE_LIMITED, including for a
 *   form that was sent too fast
 */
export async function apply(ctx: PublicCtx, input: Apply): Promise<{ email: string }> {
  const { services } = ctx;
  const address = clientNetwork(ctx.clientAddress ?? 'unknown');
  await countAttempt(services, `apply from ${address}`, PER_NETWORK);
  const { account, campaign, terms } = await findJoinable(ctx, input);
  assertFilledInByPerson(services, input.form_token);
  if (terms && input.accepted_terms !== terms.version)
    throw invalid(
      'accepted_terms',
      PORTAL_REASONS.terms_not_accepted,
      input.accepted_terms === undefined ? 'required' : 'outdated',
    );
  const answers = checkAnswers(account.application_questions, input.answers);
  if (input.link_code !== undefined)
    await assertChoosable({ db: services.database.kysely, accountId: account.account_id }, input.link_code, {
      path: 'link_code',
    });
  const email = input.email.trim();
  if (input.website !== undefined && input.website !== '') return { email };
  await countAttempt(services, `apply as ${email.toLowerCase()} to ${account.account_id}`, PER_EMAIL);
  const known = await services.database.kysely
    .selectFrom('affiliate')
    .select('id')
    .where('account_id', '=', account.account_id)
    .where('archived_at', 'is', null)
    .where(sameText('email', email))
    .executeTakeFirst();
  if (known) {
    if (account.portal_host === null) await mailFewSignInLinks(services, email, turnOfNetwork(address));
    else
      await mailPortalLink(services, {
        accountId: account.account_id,
        email,
        network: turnOfNetwork(address),
        requestId: ctx.requestId,
      });
    return { email };
  }
  const now = toInstant(services.clock.now());
  const token = newSecret('sil');
  const expires_at = plusMilliseconds(now, CONFIRM_MS);
  await services.database.transaction(async (db) => {
    await db
      .insertInto('application')
      .values({
        id: newId('application', services.clock.now()),
        account_id: account.account_id,
        campaign_id: campaign.id,
        email,
        first_name: input.first_name ?? null,
        last_name: input.last_name ?? null,
        terms_version: terms?.version ?? null,
        answers: JSON.stringify(answers),
        client_address: ctx.clientAddress ?? 'unknown',
        token_hash: hashSecret(token),
        on_portal_host: account.portal_host !== null,
        language: input.language ?? null,
        link_code: input.link_code ?? null,
        expires_at,
        created_at: now,
      })
      .execute();
    const letterhead = letterheadOf(services.publicUrl, account);
    const language = input.language ?? account.mail_language;
    const link = `${letterhead.portalUrl}/join/confirm#token=${token}`;
    const values = { account: letterhead.name, campaign: campaign.name };
    const mail = composeTexts({ to: email, language, letterhead }, PORTAL_MAILS.confirmApplication, link, values);
    await enqueueMail(services, db, { kind: 'application', priority: 'news', accountId: account.account_id }, mail, expires_at);
  });
  services.jobs.send('mail');
  return { email };
}

/** Returns the token that is made of what an applicant types, for the page to show. Throws NOT_FOUND; RATE_LIMITED; VALIDATION_ERROR like `apply`. */
export async function checkLinkCode(ctx: PublicCtx, { link_code, ...page }: CheckJoinCode): Promise<{ token: string }> {
  await countAttempt(ctx.services, `link code from ${clientNetwork(ctx.clientAddress ?? 'unknown')}`, CODES_PER_NETWORK);
  const { account } = await findJoinable(ctx, page);
  await assertChoosable({ db: ctx.services.database.kysely, accountId: account.account_id }, link_code, { path: 'link_code' });
  return { token: link_code };
}

/**
 * Emails a sign-in link, unless applications to any programs have caused too many to this address. The limit is not reported, because it would reveal
 * that an affiliate has the address.
 */
async function mailFewSignInLinks(services: Services, email: string, network: string): Promise<void> {
  const key = `sign-in link of an application as ${email.toLowerCase()}`;
  const { attempts } = await recordAttempt(services, key, LINKS_PER_PERSON.windowSeconds);
  if (attempts <= LINKS_PER_PERSON.max) await mailSignInLink(services, email, network);
}

async function findJoinable(ctx: PublicCtx, { account: accountSlug, campaign: campaignSlug }: GetJoinPage) {
  const db = ctx.services.database.kysely;
  const account = await db
    .selectFrom('account')
    .select([...LETTERHEAD, 'application_questions', 'mail_language'])
    // A former slug of the account works as well.
    .where('id', 'in', (accounts) => accounts.selectFrom('program_slug').select('account_id').where('slug', '=', accountSlug))
    .where('deletion_scheduled_at', 'is', null)
    .executeTakeFirst();
  const campaign =
    account && isServedHere(ctx, account.account_id) && (await findJoinableCampaign(db, account.account_id, campaignSlug));
  if (!campaign) throw notFound('sign-up page');
  const terms = await db
    .selectFrom('program_terms')
    .select(['version', 'body'])
    .where('account_id', '=', account.account_id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { account, campaign, terms: terms ?? null };
}

/** Finds a campaign that has a sign-up page. */
export function findJoinableCampaign(db: Db, accountId: string, slug: string) {
  return db
    .selectFrom('campaign')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('slug', '=', slug)
    .where('private', '=', false)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
}

function assertFilledInByPerson({ secrets, clock }: Services, token: string): void {
  const passed = clock.now().getTime() - openedAt(secrets, token);
  if (passed < FASTEST_MS)
    throw new DomainError('RATE_LIMITED', PORTAL_REASONS.form_sent_too_quickly, {
      retry_after: 2,
    });
  if (passed > SLOWEST_MS) throw invalid('form_token', PORTAL_REASONS.form_expired, 'expired');
}

function openedAt(secrets: Services['secrets'], token: string): number {
  let at = Number.NaN;
  try {
    // Another sealed text, e.g. that of an unsubscribe link, is not a number.
    at = Number(secrets.open(token));
  } catch {
    // Refused below.
  }
  if (Number.isNaN(at)) throw invalid('form_token', PORTAL_REASONS.form_unreadable);
  return at;
}
