/** Links that sign in, and their emails. The token is in the URL's fragment, which browsers do not send to servers, so it is never logged. */
import { sql } from 'kysely';
import type { PersonWriteCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import { inPersonTransaction } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { listIn } from '../../platform/mail/in-language.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { jobOf, type Purpose } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { languageOfAddress } from '../affiliations/mail-language.ts';
import { BRAND_NAME } from '../branding/branding.ts';
import { revokeAllConnectorsAuthorizedBy } from '../connectors/connector.service.ts';
import { hashSecret, newSecret } from '../credentials/secret.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { endPasswordResets } from '../members/user.ts';
import { createUser } from '../members/user.ts';
import { turnOfLink } from './link-turn.ts';

/** Recipient and token of an email with a link. */
interface Linked {
  to: string;
  language: Language;
  token: string;
}

/** Largest number of programs that the email with a sign-in link names. */
const MAX_NAMED = 3;

/** Composes the email with a sign-in link. It names the programs that the link leads to, unless there are many. */
function signInLinkMail(publicUrl: string, { token, programs, ...of }: Linked & { programs: readonly string[] }) {
  const { subject, use, subjectFor, useFor, ...t } = IDENTITY_MAILS.signInLink;
  const isNamed = programs.length > 0 && programs.length <= MAX_NAMED;
  const texts = isNamed ? { ...t, subject: subjectFor, use: useFor } : { ...t, subject, use };
  const values = { email: of.to, programs: listIn(of.language, programs) };
  return composeTexts(of, texts, `${publicUrl}/sign-in/link#token=${token}`, values);
}

/** Composes the email that tells a person of many wrong passwords. Its link signs the person in, because the password is refused for a while. */
function guessedPasswordMail(publicUrl: string, { token, ...of }: Linked) {
  const t = { ...IDENTITY_MAILS.guessedPassword, link: IDENTITY_MAILS.signInLink.link };
  return composeTexts(of, t, `${publicUrl}/sign-in/link#token=${token}`, { email: of.to });
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A link that signs in the owner of an email address. It works once. */
    sign_in_link: {
      token_hash: string;
      email: string;
      expires_at: Instant;
    };
  }
}

/** Number of seconds for which an emailed link can be used (docs/rules/identity.md#signing-in-by-link). */
const MAILED_SECONDS = 15 * 60;

const SIGN_IN_LINK = { kind: 'sign_in_link', priority: 'urgent', accountId: null } as const satisfies Purpose;
/** A kind of its own, because one that waits does not stand in for a link that the person has asked for. */
const GUESSED_PASSWORD = { ...SIGN_IN_LINK, kind: 'guessed_password' } as const satisfies Purpose;

/**
 * Creates a link that signs in the owner of an address once. The caller must make sure that only the owner gets the link.
 *
 * @returns the link's token, of which only the hash is stored
 */
export async function createSignInLink(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  { email, seconds }: { email: string; seconds: number },
): Promise<string> {
  const token = newSecret('sil');
  await db
    .insertInto('sign_in_link')
    .values({
      token_hash: hashSecret(token),
      email,
      expires_at: plusMilliseconds(toInstant(clock.now()), seconds * 1_000),
    })
    .execute();
  return token;
}

/**
 * Emails a sign-in link to an address, if a user or an affiliate has it.
 *
 * @param network network of the requester, by the name of its turn
 */
export async function mailSignInLink(services: Services, email: string, network: string | null): Promise<void> {
  await services.database.transaction(async (db) => {
    const language = await languageOfAddress(db, email);
    if (language === null) return;
    const token = await createSignInLink(services, db, { email, seconds: MAILED_SECONDS });
    const expires = plusMilliseconds(toInstant(services.clock.now()), MAILED_SECONDS * 1_000);
    const purpose = { ...SIGN_IN_LINK, turn: await turnOfLink(db, { email, network }) };
    const programs = await programsOf(db, email);
    await enqueueMail(
      services,
      db,
      purpose,
      signInLinkMail(services.publicUrl, { to: email, language, token, programs }),
      expires,
    );
  });
  services.jobs.send(jobOf(SIGN_IN_LINK));
}

/** Returns the names of the programs of which the holder of an address is a member or an affiliate. */
async function programsOf(db: Db, email: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct ${BRAND_NAME} as name from account where id in (
      select account_id from affiliate where ${sameText('affiliate.email', email)} and archived_at is null and livemode
      union all
      select account_id from membership join auth_user on auth_user.id = user_id where ${sameText('auth_user.email', email)})
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Tells a person that somebody has tried many passwords, and mails a sign-in link, if a user has the address. */
export async function mailGuessedPassword(services: Services, email: string, network: string | null): Promise<void> {
  await services.database.transaction(async (db) => {
    const user = await db.selectFrom('auth_user').select('id').where(sameText('email', email)).executeTakeFirst();
    const language = user && (await languageOfAddress(db, email));
    if (!language) return;
    const token = await createSignInLink(services, db, { email, seconds: MAILED_SECONDS });
    const expires = plusMilliseconds(toInstant(services.clock.now()), MAILED_SECONDS * 1_000);
    const purpose = { ...GUESSED_PASSWORD, turn: await turnOfLink(db, { email, network }) };
    await enqueueMail(services, db, purpose, guessedPasswordMail(services.publicUrl, { to: email, language, token }), expires);
  });
  services.jobs.send(jobOf(GUESSED_PASSWORD));
}

/**
 * Redeems a sign-in link, which then no longer works. The link was sent only to the address, so using the link proves the address. Creates a
 * user without a password if nobody has the address yet.
 *
 * @returns the user's id; null for a link that is unknown, expired or used
 */
export function redeemSignInLink(services: Services, token: string): Promise<string | null> {
  return inPersonTransaction(services, async (ctx) => {
    const { db, now } = ctx;
    const link = await db
      .deleteFrom('sign_in_link')
      .where('token_hash', '=', hashSecret(token))
      .where('expires_at', '>', now)
      .returning('email')
      .executeTakeFirst();
    if (!link) return null;
    const userId = await userWithAddress(ctx, link.email);
    await db
      .updateTable('affiliate')
      .set({ user_id: userId })
      .where(sameText('email', link.email))
      .where('user_id', 'is', null)
      .where('archived_at', 'is', null)
      .execute();
    return userId;
  });
}

/**
 * Returns the id of the user with an address that was just proved by an emailed link. Creates a user without a password if nobody has the address
 * yet. If the existing user's address was never proved, somebody else may have set that user up, so the user loses password, second factor,
 * sessions and the assistants connected by consent.
 */
export async function userWithAddress(ctx: PersonWriteCtx, email: string): Promise<string> {
  const user = await ctx.db
    .selectFrom('auth_user')
    .select(['id', 'email_verified'])
    .where(sameText('email', email))
    .executeTakeFirst();
  if (!user) return createUser(ctx.services, ctx.db, { email });
  if (!user.email_verified) await handOver(ctx, user.id);
  return user.id;
}

/**
 * Marks a user's address as verified, and ends everything that somebody else may have set up before: password, second factor, sessions and
 * connected assistants.
 */
async function handOver(ctx: PersonWriteCtx, userId: string): Promise<void> {
  const { db } = ctx;
  await db.updateTable('auth_user').set({ email_verified: true, has_second_factor: false }).where('id', '=', userId).execute();
  await db.deleteFrom('auth_credential').where('user_id', '=', userId).execute();
  await db.deleteFrom('auth_second_factor').where('user_id', '=', userId).execute();
  await db.deleteFrom('auth_session').where('user_id', '=', userId).execute();
  // Deletes password resets, trusted browsers, and sign-ins that still need a code.
  await db.deleteFrom('auth_verification').where('value', '=', userId).execute();
  // Must come after deleting the sessions. Recording a consent locks the session of the person who consents. A concurrent consent has therefore
  // either committed by now, so that its connector is found here, or fails because the session is gone.
  await revokeAllConnectorsAuthorizedBy(ctx, userId);
}

/**
 * Gives an affiliate's user the affiliate's new email address, after both owners have confirmed it. If the new address already has a user,
 * that user becomes the affiliate's user. Otherwise the user who requested the change stays. If this user signs in with the former address, the
 * sign-in address becomes the new one, and links that were emailed to the former address stop working.
 *
 * @param userId the user in whose session the change was requested
 * @returns the user's id
 */
export async function moveUserToEmail(
  ctx: WriteCtx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<string> {
  const { db, now } = ctx;
  const user = await db.selectFrom('auth_user').select('id').where(sameText('email', to)).executeTakeFirst();
  if (user) return userWithAddress(ctx, to);
  const former = await db
    .selectFrom('auth_user')
    .select('id')
    .where('id', '=', userId)
    .where(sameText('email', from))
    .where('email_verified', '=', true)
    .executeTakeFirst();
  if (!former) return userId;
  // Affiliates in other accounts may have the former address but no user yet. Links them to this user, who would otherwise lose access to them.
  await sql`update affiliate set user_id = ${former.id} where user_id is null and archived_at is null and ${sameText('email', from)}`.execute(
    db,
  );
  await db.updateTable('auth_user').set({ email: to.toLowerCase(), updated_at: now }).where('id', '=', former.id).execute();
  await endPasswordResets(db, former.id);
  await db.deleteFrom('sign_in_link').where(sameText('email', from)).execute();
  return former.id;
}
