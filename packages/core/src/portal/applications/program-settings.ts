import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { brandOf } from '../../identity/branding/branding.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { laterOf } from '../../platform/time/instant.ts';
import { getPortalHost, setPortalHost } from '../host/portal-host.ts';
import { PORTAL_REASONS } from '../reasons.ts';
import type { ProgramSettings, UpdateProgramSettings } from './application.schema.ts';

/** Returns the settings of an account's sign-up pages and portal. */
export async function getProgramSettings(ctx: Ctx): Promise<ProgramSettings> {
  const { db, accountId } = ctx;
  const { brand_color, logo_hash, ...account } = await db
    .selectFrom('account')
    .select([
      'id as account_id',
      'slug',
      'brand_name',
      'brand_color',
      'logo_hash',
      'support_email',
      'approval',
      'approved_domains',
      'rejected_domains',
      'application_questions as questions',
      'embed_origins',
      'payout_details_hold_days',
      'billing_details',
      'program_emails',
    ])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const terms = await db
    .selectFrom('program_terms')
    .select(['version', 'body', 'summary', 'applies_from', 'published_at'])
    .where('account_id', '=', accountId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...account,
    brand: brandOf({ ...account, brand_color, logo_hash }),
    portal_host: await getPortalHost(ctx),
    terms: terms ?? null,
  };
}

/** Maximum number of slugs that an account has and had. No other account can get them, so an account must not take all good names. */
const MAX_SLUGS = 20;

/** Throws VALIDATION_ERROR if the account has had too many slugs. Its row is locked by this transaction. */
async function assertFewSlugs({ db, accountId }: WriteCtx): Promise<void> {
  const { count } = await db
    .selectFrom('program_slug')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count > MAX_SLUGS) throw invalid('slug', PORTAL_REASONS.too_many_slugs({ max: MAX_SLUGS }), 'too_many');
}

/**
 * Changes the given settings. New terms are stored as a new version, unless their text equals that of the latest version. Their summary and the time
 * from which they apply belong to the version that is stored.
 *
 * @throws VALIDATION_ERROR for a slug of another account, and after too many changes of the slug
 */
export async function updateProgramSettings(
  ctx: WriteCtx,
  {
    terms,
    terms_summary,
    terms_apply_from,
    questions,
    embed_origins,
    approved_domains,
    rejected_domains,
    portal_host,
    ...columns
  }: UpdateProgramSettings,
): Promise<ProgramSettings> {
  await ctx.db
    .updateTable('account')
    .set({
      ...columns,
      ...inJson({ application_questions: questions, embed_origins, approved_domains, rejected_domains }),
      updated_at: ctx.now,
    })
    .where('id', '=', ctx.accountId)
    .execute();
  if (columns.slug !== undefined) await assertFewSlugs(ctx);
  if (portal_host !== undefined) await setPortalHost(ctx, portal_host);
  const { terms: present } = await getProgramSettings(ctx);
  if (terms !== undefined && terms !== present?.body) {
    await ctx.db
      .insertInto('program_terms')
      .values({
        account_id: ctx.accountId,
        version: (present?.version ?? 0) + 1,
        body: terms,
        body_hash: createHash('sha256').update(terms).digest('hex'),
        summary: terms_summary ?? null,
        applies_from: laterOf(terms_apply_from ?? ctx.now, ctx.now),
        published_at: ctx.now,
      })
      .execute();
  }
  return getProgramSettings(ctx);
}

/** Converts lists to values for JSON columns, because the driver would otherwise send an array as a PostgreSQL array. */
function inJson(lists: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([column, list]) =>
      list === undefined ? [] : [[column, sql`${JSON.stringify(list)}::jsonb`]],
    ),
  ) as Record<string, never>;
}
