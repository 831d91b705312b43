import { sql } from 'kysely';
import type { PermissionMap, Role } from '../../platform/access/permissions.ts';
import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx, Services } from '../../platform/call/context.ts';
import { serviceLock } from '../../platform/call/locks.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, notFound } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { slugify } from '../../platform/wire/latin.ts';
import { countAttempt } from '../auth-library/attempts.ts';
import { lacksSecondFactor, secondFactorRequired } from '../credentials/required-second-factor.ts';
import { hashSecret, newSecret, visiblePrefix } from '../credentials/secret.ts';
import { addMember } from '../members/user.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { accountOfSlug } from './account.entity.ts';
import type { CreateAccount } from './account.schema.ts';
import { knownTimeZone } from './time-zone.ts';

/**
 * Returns a free slug made from the account's name. If the name alone is taken, the end of the account's id is appended, which makes the slug
 * unique.
 */
async function freeAccountSlug(db: Db, name: string, accountId: string): Promise<string> {
  const base = slugify(name);
  // Accounts of the same name that are created at the same time must wait for each other. They share no row to lock, so the lock is advisory.
  await serviceLock(db, `account slug ${base}`);
  const taken = base === '' || (await accountOfSlug(db, base)) !== null;
  return taken ? `${base || 'program'}-${accountId.slice(-8)}` : base;
}

export interface NewAccount {
  name: string;
  currency: string;
  /** Default: UTC. */
  timeZone?: string | undefined;
  /** True for an account that the service fills with example data. */
  isExample?: boolean;
  ownerEmail: string;
  /** Default: the part of the email address before the `@`. */
  ownerName?: string;
  ownerPassword: string;
}

export interface CreatedAccount {
  account_id: string;
  user_id: string;
  api_key: string;
}

/**
 * Creates an account, its owner, and an API key with all permissions, in one transaction. Only for operators: the command line and the demo use
 * it.
 */
export function createAccount(services: Services, input: NewAccount): Promise<CreatedAccount> {
  return services.database.transaction(async (db) => {
    const account = await insertAccount(services, db, input);
    const key = { accountId: account.account_id, name: 'First key', permissions: { all: true }, createdBy: account.user_id };
    return { ...account, api_key: (await insertKey(services, db, key)).api_key };
  });
}

/** Lists all accounts except test accounts, oldest first, with the email addresses of their owners. For operators only. */
export async function listAccounts({ database }: Services) {
  const { rows } = await sql<{ id: string; name: string; currency: string; created_at: string; owners: string[] }>`
    select account.id, account.name, account.currency, wire_time(account.created_at) as created_at,
      coalesce(array_agg(auth_user.email order by auth_user.email) filter (where auth_user.id is not null), '{}') as owners
    from account
      left join membership on membership.account_id = account.id and membership.role = 'owner'
      left join auth_user on auth_user.id = membership.user_id
    where account.id not like 'acct\\_test\\_%'
    group by account.id order by account.id`.execute(database.kysely);
  return rows;
}

/** Creates an account and its owner, in the caller's transaction. */
export async function insertAccount(
  services: Services,
  db: Db,
  input: NewAccount,
): Promise<Pick<CreatedAccount, 'account_id' | 'user_id'>> {
  const account_id = await insertAccountRow(services, db, input);
  const user_id = await addMember(services, db, {
    accountId: account_id,
    email: input.ownerEmail,
    name: input.ownerName,
    password: input.ownerPassword,
    role: 'owner',
  });
  return { account_id, user_id };
}

/** Creates an account that nobody owns yet, in the caller's transaction. Returns its id. */
async function insertAccountRow(
  services: Services,
  db: Db,
  input: Pick<NewAccount, 'name' | 'currency' | 'timeZone' | 'isExample'>,
): Promise<string> {
  const at = toInstant(services.clock.now());
  const account_id = newId('account', services.clock.now());
  await db
    .insertInto('account')
    .values({
      id: account_id,
      name: input.name,
      currency: input.currency,
      time_zone: await knownTimeZone(db, input.timeZone ?? 'UTC'),
      is_example: input.isExample ?? false,
      code_before_link: false,
      slug: await freeAccountSlug(db, input.name, account_id),
      created_at: at,
      updated_at: at,
    })
    .execute();
  return account_id;
}

/** Creates an API key. For operators only: everybody else uses the procedure `apiKeys.create`. Throws NOT_FOUND for an unknown account. */
export function issueApiKey(services: Services, input: { accountId: string; name: string; permissions: PermissionMap }) {
  return services.database.transaction(async (db) => {
    await assertAccount(db, input.accountId);
    return insertKey(services, db, input);
  });
}

/**
 * Makes a person a member of an account, as `addMember` does. For operators only: everybody else sends an invitation.
 *
 * @returns the user's id
 * @throws NOT_FOUND for an unknown account; VALIDATION_ERROR in the same cases as `addMember`
 */
export function createMember(
  services: Services,
  input: { accountId: string; email: string; password: string; role: Role },
): Promise<string> {
  return services.database.transaction(async (db) => {
    await assertAccount(db, input.accountId);
    return addMember(services, db, input);
  });
}

async function assertAccount(db: Db, id: string): Promise<void> {
  const account = await db.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst();
  if (!account) throw notFound('account');
}

async function insertKey(
  services: Services,
  db: Db,
  {
    accountId,
    name,
    permissions,
    createdBy = null,
  }: { accountId: string; name: string; permissions: PermissionMap; createdBy?: string | null },
) {
  const at = toInstant(services.clock.now());
  const secret = newSecret('apk');
  const id = newId('api_key', services.clock.now());
  await db
    .insertInto('api_key')
    .values({
      id,
      account_id: accountId,
      name,
      prefix: visiblePrefix(secret),
      secret_hash: hashSecret(secret),
      permissions: JSON.stringify(permissions) as never,
      created_by: createdBy,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return { id, api_key: secret };
}

/** Limit of programs that one person creates. */
const NEW_PROGRAMS = { max: 10, windowSeconds: 3_600 };

/**
 * Creates another program of this installation, owned by the caller (docs/rules/program.md#several-programs).
 *
 * @throws FORBIDDEN unless the caller owns a program; SECOND_FACTOR_REQUIRED while every program of the caller requires a second factor that the caller
 *   lacks; VALIDATION_ERROR for a time zone that the database does not know; RATE_LIMITED
 */
export async function createOwnAccount(ctx: PersonCtx, input: CreateAccount): Promise<{ account_id: string }> {
  const { services, session } = ctx;
  await assertOwnsProgram(ctx, { isExample: false });
  await countAttempt(services, `new programs of ${session.user_id}`, NEW_PROGRAMS);
  return services.database.transaction(async (db) => {
    const { name, currency, time_zone: timeZone } = input;
    const account_id = await insertAccountRow(services, db, { name, currency, timeZone });
    const at = toInstant(services.clock.now());
    const membership = { account_id, user_id: session.user_id, role: 'owner' as const, created_at: at, updated_at: at };
    await db.insertInto('membership').values(membership).execute();
    recordPersonalWrite(ctx, db, { accountId: account_id, tool: 'account', action: 'create', arguments: input });
    return { account_id };
  });
}

/**
 * Throws unless the caller owns a program, or with `isExample` an example.
 *
 * @throws FORBIDDEN; SECOND_FACTOR_REQUIRED while every such program requires a second factor that the caller lacks
 */
export async function assertOwnsProgram({ services, session }: PersonCtx, { isExample }: { isExample: boolean }): Promise<void> {
  let query = services.database.kysely
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select(lacksSecondFactor(toInstant(services.clock.now())).as('lacks_second_factor'))
    .where('membership.user_id', '=', session.user_id)
    .where('membership.role', '=', 'owner');
  if (isExample) query = query.where('account.is_example', '=', true);
  const owned = await query.orderBy('lacks_second_factor').executeTakeFirst();
  if (!owned)
    throw new DomainError(
      'FORBIDDEN',
      isExample ? IDENTITY_REASONS.owner_of_example_needed : IDENTITY_REASONS.owner_of_program_needed,
    );
  if (owned.lacks_second_factor) throw secondFactorRequired();
}
