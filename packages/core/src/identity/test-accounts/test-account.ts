import { sql } from 'kysely';
import type { Principal, Services } from '../../platform/call/context.ts';
import { accountInMode } from '../../platform/call/mode.ts';
import { isTestAccount, liveAccountOf, testAccountOf } from '../../platform/call/test-account-id.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { IDENTITY_REASONS } from '../reasons.ts';

/** The settings that a new test account takes over from its live account. */
const SETTINGS = (
  'name currency time_zone code_before_link support_email approval application_questions ' +
  'approved_domains rejected_domains embed_origins brand_name brand_color mail_language program_emails payout_details_hold_days ' +
  'billing_details is_example'
).split(' ');

/**
 * Creates the test account of a live account, unless it exists (docs/rules/platform.md#test-mode).
 *
 * @returns its id
 */
export async function openTestAccount(db: Db, liveAccountId: string): Promise<string> {
  const id = testAccountOf(liveAccountId);
  const settings = sql.join(SETTINGS.map((name) => sql.ref(name)));
  // Random, because another merchant could take a slug that can be foreseen, and the test account could then not be created.
  const slug = sql`'test-' || left(slug, 40) || '-' || left(replace(gen_random_uuid()::text, '-', ''), 12)`;
  await sql`
    insert into account (id, test_of, slug, ${settings}, created_at, updated_at)
    select ${id}, id, ${slug}, ${settings}, created_at, created_at from account where id = ${liveAccountId}
    on conflict do nothing`.execute(db);
  return id;
}

type KeyPrincipal = Extract<Principal, { kind: 'api_key' }>;

/**
 * Returns an API key as the caller of the account that its request names. A key of test mode acts in the test account, whether the request names that
 * account or the live one. A key without a mode acts in the account that is named, or in its test account if the request names test mode.
 *
 * @param livemode the mode that the request names
 * @returns null if the key does not belong to the account
 * @throws FORBIDDEN for a key of the other mode; VALIDATION_ERROR if account and mode contradict each other
 */
export async function principalIn(
  services: Services,
  key: KeyPrincipal,
  named: string,
  livemode: boolean | undefined,
): Promise<KeyPrincipal | null> {
  if (key.livemode === null) {
    const account_id = accountInMode(named, livemode);
    if (account_id === key.account_id) return key;
    return (await opensAccount(services, key.account_id, account_id)) ? { ...key, account_id } : null;
  }
  if (named !== key.account_id && named !== liveAccountOf(key.account_id)) return null;
  if (livemode !== undefined && livemode !== key.livemode)
    throw new DomainError('FORBIDDEN', IDENTITY_REASONS.key_of_other_mode({ mode: key.livemode ? 'live' : 'test' }));
  return key;
}

/** Test accounts that this process has found or created. */
const opened = new WeakMap<Services, Set<string>>();

/**
 * Creates the account that a request names, if it is the test account of `liveAccountId` and does not exist yet.
 *
 * @returns false if the request names neither the live account nor its test account
 */
export async function opensAccount(services: Services, liveAccountId: string, named: string): Promise<boolean> {
  if (named === liveAccountId) return true;
  if (!isTestAccount(named) || liveAccountOf(named) !== liveAccountId) return false;
  let known = opened.get(services);
  if (!known) opened.set(services, (known = new Set()));
  if (!known.has(named)) {
    await openTestAccount(services.database.kysely, liveAccountId);
    known.add(named);
  }
  return true;
}
