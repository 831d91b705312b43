import { sql } from 'kysely';
import { roleAtLeast, ROLES } from '../../platform/access/permissions.ts';
import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { inPersonTransaction } from '../../platform/call/transaction.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid, noSuch } from '../../platform/errors/errors.ts';
import { listLoggedMail } from '../../platform/mail/logged-mail.ts';
import { ROLES_IN_WORDS } from '../../platform/texts/refusal-words.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { revokeConnectorsAuthorizedBy } from '../connectors/connector.service.ts';
import { assertAnotherOwner, lockRole } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import type { FormerApproval, PayoutApproval } from '../sessions/payout-approval.ts';
import { type PayoutTerms, resumesAny } from '../sessions/payout-terms.ts';
import { type AccountRecord, assertFreshSession, getSession, type SessionRecord } from '../sessions/session.ts';
import type { FormerCodeChoice } from './account.entity.ts';
import type { LeaveAccount, UnsentMails, UpdateAccount } from './account.schema.ts';
import { knownTimeZone } from './time-zone.ts';

/** The role that may change an account (docs/rules/identity.md#roles). */
const NEEDED = 'admin';
/** Changes of the rules for payments within a day. */
const MAX_FORMER_RULES = 20;

/**
 * Changes the given fields of an account. One statement checks the role and makes the change, so that the role cannot be lost in between.
 *
 * @throws FORBIDDEN when the caller is not an admin of the account, whether or not it exists, and (`sign_in_again`) for a change of the rules for payments
 *   by an old session; VALIDATION_ERROR for a time zone that the database does not know
 */
export async function updateAccount(ctx: PersonCtx, { account_id, ...changes }: UpdateAccount): Promise<AccountRecord> {
  const { database, clock } = ctx.services;
  const at = toInstant(clock.now());
  const { payout_approval: rules, payouts_stopped: stopped, payout_terms: terms, ...others } = changes;
  const known = ctx.services.payoutMethods.filter(({ words, paidBy }) => words && !paidBy).map(({ kind }) => kind);
  for (const [at_, { method }] of terms?.entries() ?? [])
    if (!known.includes(method)) throw invalid(`payout_terms.${at_}.method`, noSuch('payout method'), 'not_found');
  if (rules !== undefined || stopped === false) await assertFreshSession(database.kysely, ctx.session.id);
  await database.transaction(async (db) => {
    await assertFewRules(db, account_id, at, changes);
    if (terms) await assertMayResume(ctx, db, account_id, terms);
    const zone = changes.time_zone === undefined ? {} : { time_zone: await knownTimeZone(db, changes.time_zone) };
    const { numUpdatedRows } = await db
      .updateTable('account')
      .from('membership')
      .set({
        ...others,
        ...zone,
        ...formerChoices(changes, at),
        ...newRules(changes, at),
        ...stopOf(stopped, at),
        ...(terms && { payout_terms: sql<PayoutTerms[]>`${JSON.stringify(terms)}::jsonb` }),
        updated_at: at,
      })
      .where('account.id', '=', account_id)
      .whereRef('membership.account_id', '=', 'account.id')
      .where('membership.user_id', '=', ctx.session.user_id)
      .where(
        oneOf(
          'membership.role',
          ROLES.filter((role) => roleAtLeast(role, NEEDED)),
        ),
      )
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0)
      throw new DomainError('FORBIDDEN', IDENTITY_REASONS.role_needed_to_change_account({ role: ROLES_IN_WORDS[NEEDED] }));
    recordPersonalWrite(ctx, db, { accountId: account_id, tool: 'account', action: 'update', arguments: changes });
  });
  return getAccount(ctx, account_id);
}

/** Keeps the choice between codes and links that a change ends, because a sale is decided by the choice of its time (docs/rules/attribution.md#history). */
function formerChoices({ code_before_link: choice }: Omit<UpdateAccount, 'account_id'>, at: Instant) {
  if (choice === undefined) return {};
  return {
    former_code_choices: sql<FormerCodeChoice[]>`case when account.code_before_link = ${choice} then account.former_code_choices
      else account.former_code_choices || jsonb_build_object('until', ${at}::text, 'code_before_link', account.code_before_link) end`,
  };
}

type RuleChanges = Pick<UpdateAccount, 'payout_approval' | 'time_zone'>;

/** Sets rules for payments. The ones before hold for another day (`rulesInForce`), also if only the time zone of their hours changes. */
function newRules({ payout_approval: rules, time_zone: zone }: RuleChanges, at: Instant) {
  if (rules === undefined && zone === undefined) return {};
  const [current, newZone] = [rules === undefined ? null : JSON.stringify(rules), zone ?? null];
  return {
    payout_approval: sql<PayoutApproval>`coalesce(${current}::jsonb, payout_approval)`,
    former_payout_approvals: sql<FormerApproval[]>`case when payout_approval = coalesce(${current}::jsonb, payout_approval)
        and (payout_approval -> 'allowed_hours' = 'null' or account.time_zone = coalesce(${newZone}::text, account.time_zone)) then former_payout_approvals
      else (select coalesce(jsonb_agg(former), '[]') from jsonb_array_elements(former_payout_approvals) former where former ->> 'until' > ${at}::text)
        || jsonb_build_object('until', ${plusDays(at, 1)}::text, 'rules', payout_approval, 'time_zone', account.time_zone) end`,
  };
}

/** Stops sending, or lets it go on. A repeated stop keeps its time. */
function stopOf(stopped: boolean | undefined, at: Instant) {
  if (stopped === undefined) return {};
  return { payouts_stopped_at: stopped ? sql<Instant | null>`coalesce(payouts_stopped_at, ${at}::timestamptz)` : null };
}

/** Throws VALIDATION_ERROR if the rules for payments change more often than a day of former rules can be kept. */
async function assertFewRules(
  db: Db,
  accountId: string,
  at: Instant,
  { payout_approval, time_zone }: RuleChanges,
): Promise<void> {
  if (payout_approval === undefined && time_zone === undefined) return;
  const accounts = db.selectFrom('account').select('former_payout_approvals').where('id', '=', accountId).forUpdate();
  const former = (await accounts.executeTakeFirst())?.former_payout_approvals ?? [];
  if (former.filter(({ until }) => until > at).length >= MAX_FORMER_RULES)
    throw invalid(
      payout_approval ? 'payout_approval' : 'time_zone',
      IDENTITY_REASONS.approval_rules_changed_too_often,
      'too_many',
    );
}

/** Throws FORBIDDEN (`sign_in_again`) if an old session would let payments by a paused method go on. */
async function assertMayResume(ctx: PersonCtx, db: Db, accountId: string, terms: readonly PayoutTerms[]): Promise<void> {
  const accounts = db.selectFrom('account').select('payout_terms').where('id', '=', accountId).forUpdate();
  const former = (await accounts.executeTakeFirst())?.payout_terms ?? [];
  if (resumesAny(former, terms)) await assertFreshSession(db, ctx.session.id);
}

/** Returns an account of which the signed-in person is a member. Throws FORBIDDEN for any other account, whether or not it exists. */
export async function getAccount(ctx: PersonCtx, accountId: string): Promise<AccountRecord> {
  const { accounts } = await getSession(ctx);
  const account = accounts.find(({ id }) => id === accountId);
  if (!account) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.no_member);
  return account;
}

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

/**
 * Removes the caller from an account, and revokes the assistants that they connected to it by consent.
 *
 * @returns the session, without the account
 * @throws FORBIDDEN unless the caller is a member of the account; VALIDATION_ERROR for the last owner
 */
export async function leaveAccount(ctx: PersonCtx, { account_id: accountId }: LeaveAccount): Promise<SessionRecord> {
  const { user_id } = ctx.session;
  await inPersonTransaction(ctx.services, async (scope) => {
    const { memberships, role } = await lockRole({ ...scope, accountId }, user_id);
    if (role === null) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.no_member);
    if (role === 'owner') await assertAnotherOwner(scope, memberships, user_id);
    await scope.db.deleteFrom('membership').where('account_id', '=', accountId).where('user_id', '=', user_id).execute();
    await revokeConnectorsAuthorizedBy({ ...scope, accountId }, user_id);
    recordPersonalWrite(ctx, scope.db, { accountId, tool: 'account', action: 'leave', arguments: {} });
  });
  return getSession(ctx);
}
