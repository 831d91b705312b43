import { sql } from 'kysely';
import { z } from 'zod';
import { findReferred } from '../../attribution/claims/referred.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { plusMilliseconds } from '../../platform/time/instant.ts';
import { httpUrl, id, instant } from '../../platform/wire/scalars.ts';
import { TEST_MARK } from '../../program/clicks/bots.ts';
import { recordScriptSight } from '../../program/links/link-url.ts';
import { REPORTED } from '../sales/facts-of-payment.ts';
import { recordSale } from '../sales/record-sale.ts';
import { checkPage, PAGE_FAILURES, SCRIPT_PROBLEMS } from './check-page.ts';

export const CheckSite = z.strictObject({
  url: httpUrl().meta({ description: 'A page of your site.', example: 'https://shop.example.com/' }),
});
export type CheckSite = z.infer<typeof CheckSite>;

export const SiteCheck = z.object({
  url: z.string().describe('The page that was read, after redirects.'),
  failure: z.enum(PAGE_FAILURES).nullable().describe('Reason why the page could not be read; null if it was read.'),
  script: z.object({ src: z.string(), account_id: z.string().nullable() }).nullable(),
  problems: z.array(z.enum(SCRIPT_PROBLEMS)).describe('Problems that keep the script from working; empty if there are none.'),
});
export type SiteCheck = z.infer<typeof SiteCheck>;

/** A random text that identifies the click of a test visit. */
const mark = z
  .string()
  .regex(TEST_MARK)
  .meta({ description: 'Value of `sub5` in the address of the test visit.', example: 'test-0123456789' });

export const GetTestVisit = z.strictObject({
  mark,
  referral_id: id('referral').optional().describe('Referral of the test visit’s click, if you know it already.'),
});
export type GetTestVisit = z.infer<typeof GetTestVisit>;

export const TestVisit = z.object({
  click: z
    .object({ at: instant(), referral_id: id('referral').nullable() })
    .nullable()
    .describe('Null until the link was followed. The click has no referral if a bot seems to have followed the link.'),
  is_lead: z.boolean().describe('`true` if the visitor has become a lead or has converted.'),
  sale: z
    .object({ id: id('sale'), livemode: z.boolean(), amount_cents: z.int(), currency: z.string() })
    .nullable()
    .describe('First sale of the referral since the click.'),
  commission: z.object({ id: id('commission'), amount_cents: z.int(), currency: z.string() }).nullable(),
});
export type TestVisit = z.infer<typeof TestVisit>;

export const RecordTestSale = z.strictObject({ mark, referral_id: id('referral') });
export type RecordTestSale = z.infer<typeof RecordTestSale>;

export const RecordedTestSale = z.object({ sale_id: id('sale') });

/** Maximum number of checks by one account. Each check makes the service read a page of another site. */
const PER_ACCOUNT = { max: 30, windowSeconds: 600 };

/**
 * Reads a page of the merchant's site, and checks whether the tracking script on it can work (docs/rules/intake.md#checking-a-site). Records
 * the site as one with the script if there is no problem.
 *
 * @throws RATE_LIMITED after too many checks by the account
 */
export async function checkSite({ services, db, accountId, now }: Ctx, { url }: CheckSite): Promise<SiteCheck> {
  await countAttempt(services, `site checks of ${accountId}`, PER_ACCOUNT);
  const page = await services.readPage(url);
  if (typeof page === 'string') return { url, failure: page, script: null, problems: [] };
  const campaigns = await db
    .selectFrom('campaign')
    .select('params')
    .where('account_id', '=', accountId)
    .where('archived_at', 'is', null)
    .execute();
  const params = campaigns.flatMap((campaign) => campaign.params);
  const { script, problems } = checkPage(page, { accountId, publicUrl: services.publicUrl, params });
  if (problems.length === 0) {
    const { origin } = new URL(page.url);
    await recordScriptSight(services.database.kysely, { account_id: accountId, origin, seen_at: now });
  }
  return { url: page.url, failure: null, script, problems };
}

const AMOUNT_CENTS = 10_000;

/**
 * Records the sale of a test visit like a sale in the payment provider's test mode, once for each visit.
 *
 * @throws NOT_FOUND for an unknown referral
 */
export async function recordTestSale(ctx: WriteCtx, { mark, referral_id }: RecordTestSale): Promise<{ sale_id: string }> {
  const known = await ctx.db
    .selectFrom('sale')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', mark)
    .executeTakeFirst();
  if (known) return { sale_id: known.id };
  const { referral, referredId } = foundOrThrow(await findReferred(ctx, referral_id), 'referral');
  const { currency } = await ctx.db
    .selectFrom('account')
    .select('currency')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const payment = {
    ...REPORTED,
    mode: 'test' as const,
    charged: { amount: { amount: AMOUNT_CENTS, currency }, tax: null, at: ctx.now },
  };
  const report = { external_id: mark, metadata: undefined, shippingCents: 0, isNow: true };
  const { saleId } = await recordSale(ctx, payment, { referral, referredId, report }, null);
  return { sale_id: saleId };
}

/** Limits of the search for a test visit: clicks of the last hour, and of these only the latest `MAX_CLICKS`. */
const LAST_MS = 3_600_000;
const MAX_CLICKS = 5_000;

interface Row {
  at: string;
  referral_id: string | null;
  is_lead: boolean;
  sale: TestVisit['sale'];
  commission: TestVisit['commission'];
}

/**
 * Returns the progress of a test visit: its click, and the lead, sale and commission that followed for the referral
 * (docs/rules/intake.md#checking-a-site). Throws NOT_FOUND for an unknown referral.
 */
export async function getTestVisit({ db, accountId, now }: Ctx, { mark, referral_id }: GetTestVisit): Promise<TestVisit> {
  const since = plusMilliseconds(now, -LAST_MS);
  const { rows } = await sql<Row>`
    select wire_time(clicked.at) as at, clicked.referral_id, coalesce(referral.conversion_state <> 'visitor', false) as is_lead,
      case when sale.id is not null then json_build_object('id', sale.id, 'livemode', sale.livemode is distinct from false,
        'amount_cents', sale.charge_amount_cents, 'currency', sale.currency) end as sale,
      case when commission.id is not null then json_build_object('id', commission.id, 'amount_cents', commission.amount_cents,
        'currency', commission.currency) end as commission
    from (
      select at, referral_id from (
        select * from click
        where account_id = ${accountId} and day >= ${since.slice(0, 10)}::date and at >= ${since}::timestamptz
          ${referral_id === undefined ? sql`` : sql`and referral_id = ${referral_id}`}
        order by at desc limit ${MAX_CLICKS}
      ) recent
      where sub5 = ${mark} order by at limit 1
    ) clicked
    left join referral on referral.id = clicked.referral_id
    left join lateral (
      select * from sale where sale.referral_id = referral.id and sale.created_at >= clicked.at order by sale.id limit 1
    ) sale on true
    left join lateral (select * from commission where commission.sale_id = sale.id order by commission.id limit 1) commission on true`.execute(
    db,
  );
  const [row] = rows;
  if (!row) {
    if (referral_id !== undefined) await assertReferral({ db, accountId }, referral_id);
    return { click: null, is_lead: false, sale: null, commission: null };
  }
  const { at, referral_id: referral, ...rest } = row;
  return { click: { at, referral_id: referral }, ...rest };
}

async function assertReferral({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>, id: string): Promise<void> {
  const known = db.selectFrom('referral').select('id').where('account_id', '=', accountId).where('id', '=', id);
  foundOrThrow(await known.executeTakeFirst(), 'referral');
}
