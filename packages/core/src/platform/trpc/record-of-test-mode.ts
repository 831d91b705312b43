/** Calls of keys without a mode that name a record of test mode by its id, but not the test account (docs/rules/platform.md#test-mode). */
import type { Principal } from '../call/context.ts';
import { isTestAccount, testAccountOf } from '../call/test-account-id.ts';
import type { Database } from '../db/database.ts';
import { ID_PREFIXES, type RecordKind } from '../wire/ids.ts';

const KIND_BY_PREFIX = new Map(Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as RecordKind]));

type KeyPrincipal = Extract<Principal, { kind: 'api_key' }>;

/**
 * Returns the caller of a call that has found no record in the live account as a caller of the test account, if the call names a record of that
 * account by its id. Returns null if it does not, and for callers with a mode. Records that are named by the merchant's own ids are not looked up,
 * because both modes may have one with the same id.
 *
 * @param input the input of the call, not validated
 */
export async function asCallerOfTestRecord(
  { kysely, namedTables }: Database,
  caller: Principal,
  input: unknown,
): Promise<KeyPrincipal | null> {
  if (caller.kind !== 'api_key' || caller.livemode !== null || isTestAccount(caller.account_id)) return null;
  const account_id = testAccountOf(caller.account_id);
  for (const value of Object.values(Object(input) as Record<string, unknown>)) {
    if (typeof value !== 'string') continue;
    const kind = KIND_BY_PREFIX.get(value.slice(0, -27));
    const table = kind && namedTables[kind];
    if (table === undefined) continue;
    const found = await kysely
      // The name of the table is not known to the compiler here, but `id` and `account_id` are columns of every record that calls name.
      .selectFrom(table as 'audit_log')
      .select('id')
      .where('id', '=', value)
      .where('account_id', '=', account_id)
      .executeTakeFirst();
    if (found) return { ...caller, account_id };
  }
  return null;
}
