import { sql } from 'kysely';
import { z } from 'zod';
import { type Account, SCREENERS, UNSCREENED } from '../../identity/accounts/account.entity.ts';
import { assertFreshSession } from '../../identity/sessions/session.ts';
import { lockAffiliate } from '../../ledger/affiliate-lock.ts';
import { PayoutScreening, SCREENING_RESULTS } from '../../ledger/payouts/payout-screening.entity.ts';
import { releaseScreening } from '../../ledger/payouts/payout-screening.transitions.ts';
import { resumeScreened } from '../../ledger/payouts/payout.transitions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { getRow, lock } from '../../platform/call/records.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, livemode, text } from '../../platform/wire/scalars.ts';
import { PAYOUT_REASONS } from '../port/reasons.ts';
import { listScreeningLists } from './load-list.ts';

const list = z
  .string()
  .describe('`ofac`: United States; `un`: United Nations; `uk`: United Kingdom; `eu`: European Union.')
  .meta({ example: 'un' });
const list_date = z.string().describe('Day of the version of the list.').meta({ example: '2026-11-27' });

export const PayoutScreeningRecord = z
  .object({
    id: id('payout_screening'),
    affiliate_id: id('affiliate'),
    livemode: livemode(),
    names: z
      .array(z.string())
      .describe(
        'The names that were compared: that of the affiliate, and those of the holders of accounts. Empty if there is none, and once they are erased.',
      )
      .meta({ example: ['Ada Lovelace'] }),
    result: z
      .enum(SCREENING_RESULTS)
      .describe(
        '`clear`: no name is alike; `hit`: names of `matches` are alike; `unavailable`: there is no name to compare, no list is loaded, or a list is too old.',
      ),
    held: z.boolean().describe('`true` if the affiliate is not paid because of the result.'),
    current: z.boolean().describe('`false` for a former screening, e.g. of a former name.'),
    lists: z.array(z.object({ list, list_date })).describe('The lists, in the versions with which the names were compared.'),
    matches: z
      .array(
        z.object({
          list,
          entry: z.string().describe('Reference of the entry in the list.').meta({ example: 'QDi.001' }),
          name: z.string().describe('Name in the list.').meta({ example: 'Ada LOVELACE' }),
          born: z.string().nullable().describe('Days or years of birth, as the list has them.').meta({ example: '1815' }),
        }),
      )
      .describe('At most 20.'),
    screened_at: instant().describe('Time of the last comparison with this outcome.'),
    released_at: instant()
      .nullable()
      .describe('Time at which a person released the hit. It stays released for these names, payout methods and entries.'),
    released_by: z.string().nullable().describe('ID of the person.').meta({ example: 'usr_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    release_reason: z
      .string()
      .nullable()
      .describe('Reason that the person gave.')
      .meta({ example: 'Born in another year, as her passport shows.' }),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({
    id: 'PayoutScreening',
    description: 'A comparison of an affiliate with lists of people and companies that nobody may pay.',
  });
export type PayoutScreeningRecord = z.infer<typeof PayoutScreeningRecord>;

export const ListPayoutScreenings = z.strictObject({
  ...pageInput,
  affiliate_id: id('affiliate').optional(),
  held: z.boolean().optional().describe('`true`: only those because of which affiliates are not paid now.'),
});
export type ListPayoutScreenings = z.infer<typeof ListPayoutScreenings>;
export const PayoutScreeningPage = paginated(PayoutScreeningRecord);

export const PayoutScreeningId = z.strictObject({ id: id('payout_screening') });

export const ReleasePayoutScreening = z.strictObject({
  id: id('payout_screening'),
  reason: text(500)
    .describe('Reason why the affiliate is not the one on the list. Stored with the screening and in the audit log.')
    .meta({ example: 'Born in another year, as her passport shows.' }),
});
export type ReleasePayoutScreening = z.infer<typeof ReleasePayoutScreening>;

const kind = z
  .enum(SCREENERS)
  .nullable()
  .describe('`lists`: affiliates are compared with the lists before they are paid. `null`: they are not.');

export const GetScreeningSettings = z.strictObject({});
export const ConfigureScreening = z.strictObject({ kind });
export type ConfigureScreening = z.infer<typeof ConfigureScreening>;

export const ScreeningSettings = z
  .object({
    kind,
    lists: z
      .array(
        z
          .object({
            list,
            list_date,
            names_count: z.int().describe('Number of names in the list.'),
            loaded_at: instant().describe('Time at which the operator of the installation loaded it.'),
            fresh: z.boolean().describe('`false` if it was loaded more than 30 days ago. Then nobody is cleared.'),
          })
          .meta({ id: 'ScreeningList', description: 'A list that the operator of the installation has loaded.' }),
      )
      .describe('The lists that the operator of the installation has loaded.'),
  })
  .meta({ id: 'ScreeningSettings', description: 'With what affiliates are compared before they are paid.' });
export type ScreeningSettings = z.infer<typeof ScreeningSettings>;

/** Returns with what the account compares affiliates, and the lists of the installation. */
export async function getScreeningSettings({ db, accountId, services }: Ctx): Promise<ScreeningSettings> {
  const account = db.selectFrom('account').select('payout_screening as kind').where('id', '=', accountId);
  return { ...(await account.executeTakeFirstOrThrow()), lists: await listScreeningLists(services) };
}

/**
 * Has affiliates compared before they are paid, or not any more. Open payouts wait until their affiliates are compared.
 *
 * @throws FORBIDDEN for keys that switch it off, and (`sign_in_again`) for an old session that does
 */
export async function configureScreening(ctx: WriteCtx, { kind }: ConfigureScreening): Promise<ScreeningSettings> {
  const { principal, accountId, now } = ctx;
  if (kind === null) {
    if (principal.kind !== 'session')
      throw new DomainError('FORBIDDEN', PAYOUT_REASONS.screening_switched_off_by_person, { reason: 'person_needed' });
    await assertFreshSession(ctx.db, principal.id);
  }
  const { rows } = await sql<Pick<Account, 'payout_screening'>>`
    with former as (select id, payout_screening from account where id = ${accountId} and payout_screening is distinct from ${kind}::text for update)
    update account set payout_screening = ${kind}, screening_version = ${kind === null ? null : UNSCREENED}, updated_at = ${now}
    from former where account.id = former.id returning former.payout_screening`.execute(ctx.db);
  for (const { payout_screening } of rows) ctx.records.noteChanged('account', accountId, { payout_screening });
  if (kind !== null) ctx.afterCommit(() => ctx.services.jobs.send('payout_screenings'));
  return getScreeningSettings(ctx);
}

/** Lists screenings, newest first. */
export async function listPayoutScreenings(
  { db, accountId, services }: Ctx,
  input: ListPayoutScreenings,
): Promise<Page<PayoutScreeningRecord>> {
  let query = db.selectFrom('payout_screening').where('account_id', '=', accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.held) query = query.where('held', '=', true).where('superseded', '=', false);
  if (input.held === false) query = query.where((where) => where.or([where('held', '=', false), where('superseded', '=', true)]));
  const { data, pagination } = await paginate(query, input, {
    order: listOrder('-created_at', { table: 'payout_screening' }),
    select: (all) => all.selectAll(),
  });
  return { data: data.map((row) => recordOf(services.secrets, row)), pagination };
}

export async function getPayoutScreening(ctx: Ctx, { id }: { id: string }): Promise<PayoutScreeningRecord> {
  return recordOf(ctx.services.secrets, await getRow(ctx, PayoutScreening, id));
}

/**
 * Lets an affiliate be paid in spite of a hit, for a signed-in person. Payments that wait for it are sent.
 *
 * @throws NOT_FOUND; FORBIDDEN for keys and assistants, and (`sign_in_again`) for an old session; VALIDATION_ERROR for a screening that holds nothing now
 */
export async function releasePayoutScreening(
  ctx: WriteCtx,
  { id, reason }: ReleasePayoutScreening,
): Promise<PayoutScreeningRecord> {
  const { principal } = ctx;
  const { affiliate_id } = await getRow(ctx, PayoutScreening, id);
  if (principal.kind !== 'session')
    throw new DomainError('FORBIDDEN', PAYOUT_REASONS.person_needed_to_release, { reason: 'person_needed' });
  await assertFreshSession(ctx.db, principal.id);
  const held = await lockAffiliate(ctx, affiliate_id);
  const screening = await lock(ctx, PayoutScreening, id);
  if (!screening.held || screening.superseded) throw invalid('id', PAYOUT_REASONS.screening_holds_nothing, 'invalid_state');
  if (screening.result !== 'hit') throw invalid('id', PAYOUT_REASONS.screening_unavailable, 'invalid_state');
  releaseScreening(ctx, held, screening, { by: principal.user_id, reason });
  await resumeScreened(ctx, held, affiliate_id);
  ctx.afterCommit(() => ctx.services.jobs.send('payout_attempts'));
  return recordOf(ctx.services.secrets, screening);
}

function recordOf(secrets: SecretBox, row: PayoutScreening): PayoutScreeningRecord {
  const { id, affiliate_id, livemode, sealed_names, result, held, superseded, lists, matches } = row;
  return {
    id,
    affiliate_id,
    livemode,
    names: sealed_names === null ? [] : (JSON.parse(secrets.open(sealed_names)) as string[]),
    result,
    held: held && !superseded,
    current: !superseded,
    lists,
    matches,
    screened_at: row.screened_at,
    released_at: row.released_at,
    released_by: row.released_by,
    release_reason: row.release_reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
