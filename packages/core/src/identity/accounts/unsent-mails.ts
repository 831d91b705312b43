import type { PersonCtx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { listLoggedMail } from '../../platform/mail/logged-mail.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import type { UnsentMails } from './account.schema.ts';

/**
 * Returns the last messages of an account that were not sent because the installation has no mail server, the latest first
 * (docs/rules/platform.md#unsent-mail). Leaves out messages that concern a person and no account, and all urgent ones: their links sign people in.
 *
 * @returns `mails` is null if the installation has a mail server, or if the caller does not own every program of the installation
 * @throws FORBIDDEN unless the caller owns the account
 */
export async function listUnsentMails(
  { services, session }: PersonCtx,
  { account_id }: { account_id: string },
): Promise<UnsentMails> {
  const { owned, others } = await accountsBy(services.database.kysely, session.user_id);
  if (!owned.includes(account_id)) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.owner_needed);
  if (!services.mailer.writesToLog) return { mails: null, reason: 'mail_server' };
  // A link in a message proves who owns an address. The reader could use this proof in programs of other owners.
  if (others.length > 0) return { mails: null, reason: 'other_owners' };
  return { mails: await listLoggedMail(services, account_id), reason: null };
}

/** Returns the ids of the live accounts that a person owns, and of all others. */
async function accountsBy(db: Db, userId: string): Promise<{ owned: string[]; others: string[] }> {
  const accounts = await db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.account_id', '=', 'account.id')
        .on('membership.user_id', '=', userId)
        .on('membership.role', '=', 'owner'),
    )
    .select(['account.id', 'membership.user_id'])
    .execute();
  const live = accounts.filter(({ id }) => !isTestAccount(id));
  const idsOf = (isOwned: boolean) => live.flatMap(({ id, user_id }) => ((user_id !== null) === isOwned ? [id] : []));
  return { owned: idsOf(true), others: idsOf(false) };
}
