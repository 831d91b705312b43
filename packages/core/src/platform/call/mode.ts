/**
 * The mode of an account (docs/rules/platform.md#test-mode). The records of test mode are records of a test account. Its id is made from the id of the
 * live account, so that the mode of every record follows from its `account_id`, and the filter by account also separates the modes.
 */
import { type RawBuilder, sql } from 'kysely';
import { DomainError, invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import type { Ctx, Principal } from './context.ts';
import { isTestAccount, liveAccountOf, testAccountOf } from './test-account-id.ts';

/** SQL condition: the row belongs to a live account. `row` is the name or alias of its table. */
export function isOfLiveAccount(row: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${row}.account_id`)} not like 'acct\\_test\\_%')`;
}

/**
 * Returns the account that a request names together with a mode: the test account for `livemode` false.
 *
 * @throws VALIDATION_ERROR if the request names a test account and live mode
 */
export function accountInMode(accountId: string, livemode: boolean | undefined): string {
  if (livemode === false) return testAccountOf(liveAccountOf(accountId));
  if (livemode === true && isTestAccount(accountId))
    throw invalid('X-Livemode', PLATFORM_REASONS.test_account_in_live_mode, 'contradiction');
  return accountId;
}

/**
 * Returns the mode in the values of the header X-Livemode, or undefined without the header.
 *
 * @throws VALIDATION_ERROR
 */
export function readMode(values: readonly string[] = []): boolean | undefined {
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length > 1) throw invalid('X-Livemode', PLATFORM_REASONS.sent_twice, 'repeated');
  if (value !== 'true' && value !== 'false') throw invalid('X-Livemode', PLATFORM_REASONS.not_boolean, 'invalid_value');
  return value === 'true';
}

type ModeOfCaller = Pick<Ctx, 'principal' | 'accountId'>;

/** True if the caller is a key of live mode, or a connector that such a key made. It neither sees nor makes test records of its account. */
export function seesLiveOnly({ principal }: { principal?: Principal | undefined }): boolean {
  return (principal?.kind === 'api_key' || principal?.kind === 'connector') && principal.livemode === true;
}

/**
 * Throws FORBIDDEN if the caller sees only live records, and what it is about to manage reaches further. Otherwise a key could change where test records
 * are sent, or shut out the credentials of others.
 *
 * @param livemode the mode that a credential or an endpoint reaches. Null for both modes
 */
export function assertReaches(caller: { principal?: Principal | undefined }, livemode: boolean | null): void {
  if (livemode === true || !seesLiveOnly(caller)) return;
  throw new DomainError('FORBIDDEN', PLATFORM_REASONS.credential_of_live_mode_only);
}

/** Returns a record that a read by id found, or null if the caller may not see the record because of its mode. */
export function visibleTo<Row extends object>(
  caller: { principal?: Principal | undefined },
  row: Row | null | undefined,
): Row | null | undefined {
  return row && 'livemode' in row && row.livemode === false && seesLiveOnly(caller) ? null : row;
}

/** SQL condition: the caller may see the row of a table with the column `livemode`. */
export function isVisibleTo(caller: { principal?: Principal | undefined }, table: string): RawBuilder<boolean> {
  return seesLiveOnly(caller) ? sql<boolean>`(${sql.ref(`${table}.livemode`)} is distinct from false)` : sql<boolean>`true`;
}

/**
 * Returns an input of a list with the mode by which stored records are filtered. A live account stores records of the payment provider’s test mode with
 * `livemode` false. In a test account all records are of test mode and are stored with `livemode` true, so `false` asks for all of them.
 *
 * @throws VALIDATION_ERROR if a key of live mode asks for test mode
 */
export function withStoredMode<Input extends { livemode?: boolean | undefined }>(ctx: ModeOfCaller, input: Input): Input {
  const { livemode } = input;
  if (isTestAccount(ctx.accountId)) return livemode === undefined ? input : { ...input, livemode: !livemode };
  if (!seesLiveOnly(ctx)) return input;
  return { ...input, livemode: storedModeOf(ctx, livemode ?? true) };
}

/**
 * Returns the stored mode of the records that a call is about, and that it makes. In a test account it is always test mode.
 *
 * @throws VALIDATION_ERROR if a key of live mode names test mode
 */
export function storedModeOf(ctx: ModeOfCaller, livemode: boolean): boolean {
  if (isTestAccount(ctx.accountId)) return true;
  if (!livemode && seesLiveOnly(ctx)) throw invalid('livemode', PLATFORM_REASONS.key_of_live_mode, 'other_mode');
  return livemode;
}

/**
 * Returns the mode of a new key or endpoint. In test mode it is always test mode.
 *
 * @param asked null for both modes; undefined for the mode of the caller
 * @throws VALIDATION_ERROR if a key with a mode asks for another mode
 */
export function ofMode(ctx: ModeOfCaller, asked: boolean | null | undefined): boolean | null {
  const own = isTestAccount(ctx.accountId) ? false : seesLiveOnly(ctx) ? true : null;
  if (own === null) return asked ?? null;
  if (asked !== undefined && asked !== own)
    throw invalid('livemode', PLATFORM_REASONS.other_mode({ mode: own ? 'live' : 'test', livemode: String(own) }), 'other_mode');
  return own;
}

/** Returns rows of an account as its CSV lists show them. */
export function asShown<Row>({ accountId }: Pick<Ctx, 'accountId'>, rows: readonly Row[]): readonly Row[] {
  return isTestAccount(accountId) ? rows.map(shownInTestMode) : rows;
}

/** Sets every `livemode` in the output of a call to a test account to false. */
export function shownInTestMode<Output>(output: Output): Output {
  if (Array.isArray(output)) return output.map(shownInTestMode) as Output;
  if (typeof output !== 'object' || output === null || Object.getPrototypeOf(output) !== Object.prototype) return output;
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => [
      name,
      name === 'livemode' && typeof value === 'boolean' ? false : shownInTestMode(value as unknown),
    ]),
  ) as Output;
}
