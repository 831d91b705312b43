import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type Account, type FormerShadow, shadowSince } from '../identity/accounts/account.entity.ts';
import { lockAffiliates } from '../ledger/affiliate-lock.ts';
import type { Ctx, WriteCtx } from '../platform/call/context.ts';
import { DomainError, invalid } from '../platform/errors/errors.ts';
import { storedReason } from '../platform/texts/reason.ts';
import { type Instant, laterOf, plusMonths } from '../platform/time/instant.ts';
import { instant, timestamp } from '../platform/wire/scalars.ts';
import { IS_CONNECTED } from '../sources/connections/open-connection.ts';
import { SOURCE_REASONS } from '../sources/port/reasons.ts';
import { readAgain } from './import.service.ts';
import { IMPORT_REASONS } from './reasons.ts';

export const Shadow = z
  .object({
    state: z
      .enum(['off', 'on', 'ending'])
      .describe(
        '`on`: the former tool decides what sales earn, nothing is paid, and affiliates get no news by email; `ending`: sales earn here, and nothing is paid until the imports have read the former tool once more; `off`: the account is no shadow.',
      ),
    since: instant()
      .nullable()
      .describe(
        'Time from which the former tool decides or, unless the state is `on`, until which it did; null if there was no shadow.',
      ),
    history: z
      .object({
        open: z.int().describe('Number of connections whose history is still being read.'),
        problem: z.string().nullable().describe('Reason why the last attempt to read one failed. It is repeated.'),
      })
      .describe('Reading of the payments since `since` at your payment providers.'),
  })
  .meta({ id: 'Shadow', description: 'The time in which your former tool still decides what sales earn.' });
export type Shadow = z.infer<typeof Shadow>;

export const BeginShadow = z.strictObject({
  since: timestamp()
    .optional()
    .describe(
      'Time from which the former tool has decided, up to 24 months ago. Your connected payment providers are then asked for all payments since, so that you can compare them. Default: now.',
    ),
});
export type BeginShadow = z.infer<typeof BeginShadow>;
export const EndShadow = z.strictObject({
  imports: z
    .enum(['read', 'skip'])
    .default('read')
    .describe('`read`: imports from tools read them once more, and nothing is paid until they have; `skip`: they do not.'),
});
export type EndShadow = z.infer<typeof EndShadow>;

type ShadowCtx = Pick<WriteCtx, 'db' | 'accountId' | 'now' | 'records'>;

/** Months for which the history of payment providers can be compared. */
const MAX_MONTHS = 24;

export async function getShadow({ db, accountId, language }: Pick<Ctx, 'db' | 'accountId' | 'language'>): Promise<Shadow> {
  const account = await db
    .selectFrom('account')
    .select(['shadow', 'former_shadows'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const reading = await db
    .selectFrom('connection')
    .select('history_problem')
    .where('account_id', '=', accountId)
    .where(IS_CONNECTED)
    .where('history_since', 'is not', null)
    .orderBy('history_problem')
    .execute();
  const problem = reading[0]?.history_problem ?? null;
  return {
    state: account.shadow,
    since: shadowSince(account),
    history: {
      open: reading.length,
      problem: problem === null ? null : storedReason(SOURCE_REASONS, problem).in(language),
    },
  };
}

/**
 * Makes the account a shadow: from now on, or since a time in the past, the former tool decides what sales earn. Sends a job that reads what the account's
 * payment providers tell of the time since then. An account that is a shadow already may get an earlier beginning.
 *
 * @throws VALIDATION_ERROR for a time in the future or too long ago; CONFLICT if sales since then have earned here, or while payouts are being paid
 */
export async function beginShadow(ctx: WriteCtx, { since }: BeginShadow): Promise<Shadow> {
  if (since !== undefined && (since > ctx.now || since < plusMonths(ctx.now, -MAX_MONTHS)))
    throw invalid('since', IMPORT_REASONS.history_out_of_range({ months: MAX_MONTHS }), 'out_of_range');
  // Sales are decided under these locks, so each of them has earned before, or knows the shadow.
  await lockAffiliates(ctx, sql`select id from affiliate where account_id = ${ctx.accountId}`);
  await assertNothingClaimed(ctx);
  await change(ctx, sql`shadow = 'on', former_shadows = ${former(ctx, false)}`, sql`shadow <> 'on'`);
  if (since !== undefined) await beginEarlier(ctx, since);
  return getShadow(ctx);
}

/** Throws CONFLICT while live payouts are claimed, because no payout of a shadow can be paid. */
async function assertNothingClaimed({ db, accountId }: WriteCtx): Promise<void> {
  const { rows } = await sql`
    select from payout where account_id = ${accountId} and status = 'processing' and livemode limit 1`.execute(db);
  if (rows.length > 0) throw new DomainError('CONFLICT', IMPORT_REASONS.payouts_claimed);
}

/** Lets the shadow have begun at a time, but not before the end of a former one, and asks for the history since. */
async function beginEarlier(ctx: WriteCtx, since: Instant): Promise<void> {
  const { rows: earned } = await sql`
    select from commission join sale on sale.id = commission.sale_id
    where commission.account_id = ${ctx.accountId} and commission.kind <> 'imported' and not superseded and sale.charged_at >= ${since}::timestamptz
    limit 1`.execute(ctx.db);
  if (earned.length > 0) throw new DomainError('CONFLICT', IMPORT_REASONS.earned_since);
  const { former_shadows } = await ctx.db
    .selectFrom('account')
    .select('former_shadows')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const before = former_shadows.at(-2)?.until;
  const until = before === undefined ? since : laterOf(since, before);
  const changed = [...former_shadows.slice(0, -1), { until, is_shadow: false }] satisfies FormerShadow[];
  if (until < former_shadows.at(-1)!.until) await change(ctx, sql`former_shadows = ${JSON.stringify(changed)}::jsonb`, sql`true`);
  await sql`
    update connection set history_since = least(history_since, ${until}::timestamptz), history_problem = null, unfinished_look = null, looked_at = null where account_id = ${ctx.accountId} and ${IS_CONNECTED}`.execute(
    ctx.db,
  );
  ctx.afterCommit(() => ctx.services.jobs.send('lost_events'));
}

/**
 * Ends the shadow: what is charged from now on earns here. With `read`, the imports then read their sources once more, so that the account has all that the
 * former tool has decided, and nothing is paid until they are done. May be called again with `skip`, if a source cannot be read any more.
 *
 * @throws CONFLICT if the account is no shadow, and with `read` if an import is at work or has no key any more
 */
export async function endShadow(ctx: WriteCtx, { imports }: EndShadow): Promise<Shadow> {
  const isEnded = await change(ctx, sql`shadow = 'ending', former_shadows = ${former(ctx, true)}`, sql`shadow = 'on'`);
  if (!isEnded && (await getShadow(ctx)).state === 'off') throw new DomainError('CONFLICT', IMPORT_REASONS.no_shadow);
  if (imports === 'skip') {
    await sql`update data_import set sealed_input = null where account_id = ${ctx.accountId} and state = 'done'`.execute(ctx.db);
    await change(ctx, sql`shadow = 'off'`, sql`shadow = 'ending'`);
  } else {
    if (isEnded) await readAll(ctx);
    await leaveShadow(ctx);
  }
  return getShadow(ctx);
}

/** Lets all imports of tools read their sources again that have made records. */
async function readAll(ctx: WriteCtx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from data_import where account_id = ${ctx.accountId} and source <> 'csv' and state in ('reading', 'running', 'done') order by id`.execute(
    ctx.db,
  );
  for (const { id } of rows) await readAgain(ctx, id);
}

/** Lets the account pay again when its shadow has ended and its imports have read what the former tool had decided until then. */
export async function leaveShadow(ctx: ShadowCtx): Promise<void> {
  await change(
    ctx,
    sql`shadow = 'off'`,
    sql`shadow = 'ending' and not exists (
      select from data_import where account_id = ${ctx.accountId} and state in ('reading', 'running', 'failed') and runs_when_read)`,
  );
}

/** Changes the account if it meets a condition. The open payouts follow, because none of a shadow can be paid. */
async function change(
  { db, accountId, now, records }: ShadowCtx,
  to: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql<{ shadow: Account['shadow'] }>`
    with former as (select id, shadow from account where id = ${accountId} and ${condition} for update)
    update account set ${to}, updated_at = ${now} from former where account.id = former.id returning former.shadow`.execute(db);
  for (const { shadow } of rows) records.noteChanged('account', accountId, { shadow });
  return rows.length === 1;
}

/** SQL: the former shadows with the one that ends now. */
function former({ now }: Pick<WriteCtx, 'now'>, isShadow: boolean): RawBuilder<unknown> {
  return sql`former_shadows || jsonb_build_object('until', ${now}::text, 'is_shadow', ${isShadow}::boolean)`;
}
