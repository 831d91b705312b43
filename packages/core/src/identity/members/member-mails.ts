import { type RawBuilder, sql } from 'kysely';
import { type Role, roleAtLeast } from '../../platform/access/permissions.ts';
import type { PersonCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import { enqueueMails } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { MEMBER_MAILS, type MemberMail } from '../../platform/wire/states.ts';
import { LANGUAGE_OF_MEMBER } from '../affiliations/mail-language.ts';
import { lacksSecondFactor } from '../credentials/required-second-factor.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import type { ChooseMemberMails, MemberMailChoice } from './member.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** The emails that a member has chosen. A member without a row gets the default emails of the role. */
    member_mail_choice: {
      account_id: string;
      user_id: string;
      mails: MemberMail[];
    };
    /** End of the last period that a periodic email to the members of an account has covered. The period of the next email starts at `until`. */
    member_mail_progress: {
      account_id: string;
      mail: MemberMail;
      until: Instant;
    };
  }
}

/** Emails that owners get by default. Members with other roles get none by default. */
const OF_OWNERS: readonly MemberMail[] = [
  'applications',
  'failing_endpoints',
  'finished_runs',
  'changed_payout_details',
  'troubled_payments',
  'troubled_connections',
];
/** Emails for admins and owners only. These emails are about settings that other members cannot open. */
const OF_ADMINS: readonly MemberMail[] = ['failing_endpoints', 'troubled_connections'];
const MAIL_DAYS = 7;
const PURPOSE = 'no mails to member ';

/** Content of an email to members. */
export interface MemberLetter {
  subject: string;
  lines: string[];
  /** Link to a page of the service. */
  link: { label: string; path: string };
}

export type Letter = (say: ReturnType<typeof inLanguage>, language: Language) => MemberLetter;

/** Writes an email to members (`tellMembers`), and has it sent after the commit. */
export async function mailMembers(ctx: WriteCtx, mail: MemberMail, letter: Letter): Promise<void> {
  const told = await tellMembers(ctx, mail, (language) => letter(inLanguage(language), language));
  if (told > 0) ctx.afterCommit(() => ctx.services.jobs.send('mail'));
}

/** The account whose members get an email, and the transaction in which the email is written. */
interface MailingAccount {
  services: Services;
  db: Db;
  accountId: string;
  now: Instant;
}

/**
 * Writes an email to each member who has chosen it, in the member's language. Uses the caller's transaction. The emails are only stored, so the
 * caller must send a `mail` job after the commit.
 *
 * @returns the number of emails
 */
export async function tellMembers(
  { services, db, accountId, now }: MailingAccount,
  mail: MemberMail,
  letterIn: (language: Language) => MemberLetter,
): Promise<number> {
  const { rows: readers } = await sql<{ user_id: string; email: string; language: Language; account: string }>`
    select membership.user_id, auth_user.email, ${LANGUAGE_OF_MEMBER} as language, account.name as account
    from membership join auth_user on auth_user.id = membership.user_id join account on account.id = membership.account_id
      left join member_mail_choice choice on choice.account_id = membership.account_id and choice.user_id = membership.user_id
    where membership.account_id = ${accountId}
      and ${mail} = any (coalesce(choice.mails, case when membership.role = 'owner' then ${[...OF_OWNERS]}::text[] end))
      and (membership.role in ('admin', 'owner') or not ${OF_ADMINS.includes(mail)}::boolean)
      and not ${lacksSecondFactor(now)}
    order by membership.user_id`.execute(db);
  const mails = readers.map(({ user_id, email, language, account }) => {
    const { subject, lines, link } = letterIn(language);
    return compose({
      to: email,
      language,
      subject: `${subject} (${account})`,
      lines,
      link: { label: link.label, url: `${services.publicUrl}${link.path}` },
      closing: inLanguage(language)(IDENTITY_MAILS.memberMail.closing, { account }),
      unsubscribeUrl: unsubscribeUrl(services, { mail, accountId, userId: user_id }),
    });
  });
  if (mails.length > 0)
    await enqueueMails(services, db, { kind: mail, priority: 'news', accountId }, mails, plusDays(now, MAIL_DAYS));
  return mails.length;
}

/**
 * Returns the emails of an account that the signed-in person gets, and the emails that the person's role may choose. Throws FORBIDDEN unless the
 * person is a member of the account.
 */
export async function getMemberMails(ctx: PersonCtx, { account_id }: { account_id: string }): Promise<MemberMailChoice> {
  const { rows } = await sql<{ role: Role; mails: MemberMail[] | null }>`
    select role, mails from membership left join member_mail_choice using (account_id, user_id)
    where account_id = ${account_id} and user_id = ${ctx.session.user_id}`.execute(ctx.services.database.kysely);
  const [membership] = rows;
  if (!membership) throw notAMember();
  const available = MEMBER_MAILS.filter((mail) => !OF_ADMINS.includes(mail) || roleAtLeast(membership.role, 'admin'));
  const chosen = membership.mails ?? (membership.role === 'owner' ? OF_OWNERS : []);
  return { available, mails: available.filter((mail) => chosen.includes(mail)) };
}

/** Sets the emails of an account that the signed-in person gets. Throws FORBIDDEN unless the person is a member of the account. */
export async function chooseMemberMails(ctx: PersonCtx, { account_id, mails }: ChooseMemberMails): Promise<MemberMailChoice> {
  const { rows } = await sql`
    insert into member_mail_choice (account_id, user_id, mails)
    select account_id, user_id, ${[...new Set(mails)]}::text[] from membership
    where account_id = ${account_id} and user_id = ${ctx.session.user_id}
    on conflict (account_id, user_id) do update set mails = excluded.mails
    returning user_id`.execute(ctx.services.database.kysely);
  if (rows.length === 0) throw notAMember();
  return getMemberMails(ctx, { account_id });
}

function notAMember(): DomainError {
  return new DomainError('FORBIDDEN', IDENTITY_REASONS.no_member);
}

interface Reader {
  mail: MemberMail;
  accountId: string;
  userId: string;
}

/**
 * Returns the address that unsubscribes a member from one kind of email of one account. The token is sealed, so that nobody can make an address
 * for somebody else.
 */
function unsubscribeUrl({ publicUrl, secrets }: Services, { mail, accountId, userId }: Reader): string {
  return `${publicUrl}/unsubscribe?token=${encodeURIComponent(secrets.seal(`${PURPOSE}${mail} ${accountId} ${userId}`))}`;
}

/**
 * Returns whether the member whom the token of an unsubscribe address names gets that kind of email. With `wanted`, changes this.
 *
 * @param opened the decrypted token
 * @returns null for a token of another kind, and for a person who is no longer a member
 */
export async function memberMailChoice(
  db: Db,
  opened: string,
  wanted?: boolean,
): Promise<{ account_name: string; gets_emails: boolean } | null> {
  if (!opened.startsWith(PURPOSE)) return null;
  const [mail, accountId, userId] = opened.slice(PURPOSE.length).split(' ');
  const { rows } = await sql<{ account_name: string; mails: MemberMail[] }>`
    select account.name as account_name,
      coalesce(choice.mails, case when role = 'owner' then ${[...OF_OWNERS]}::text[] else '{}' end) as mails
    from membership join account on account.id = membership.account_id
      left join member_mail_choice choice on choice.account_id = membership.account_id and choice.user_id = membership.user_id
    where membership.account_id = ${accountId} and membership.user_id = ${userId}`.execute(db);
  const [member] = rows;
  if (!member) return null;
  const gets_emails = wanted ?? member.mails.some((each) => each === mail);
  if (wanted !== undefined)
    await sql`
      insert into member_mail_choice as choice (account_id, user_id, mails)
      select account_id, user_id, ${changed(sql`${member.mails}::text[]`)} from membership
      where account_id = ${accountId} and user_id = ${userId}
      on conflict (account_id, user_id) do update set mails = ${changed(sql`choice.mails`)}`.execute(db);
  return { account_name: member.account_name, gets_emails };

  function changed(mails: RawBuilder<unknown>): RawBuilder<unknown> {
    const others = sql`array_remove(${mails}, ${mail})`;
    return wanted === true ? sql`array_append(${others}, ${mail})` : others;
  }
}
