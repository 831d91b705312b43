import { sql } from 'kysely';
import { lockAffiliates } from '../../ledger/affiliate-lock.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid, noSuch } from '../../platform/errors/errors.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { updateApplicant } from '../../program/applicants/update-applicant.ts';
import type { ApplicationRecord, DecideApplications, DecidedApplications, ListApplications } from './application.schema.ts';
import type { Answer } from './questions.ts';

/** How an account decides on applications. */
export interface ApprovalRule {
  approval: 'manual' | 'automatic' | 'rule';
  approved_domains: readonly string[];
  rejected_domains: readonly string[];
}

/**
 * Returns the initial state of an applicant (docs/rules/portal.md#applications). If `rule.approval` is `rule`, the domain of the email address
 * decides. If several listed domains match, the longest one counts, so that a subdomain of a rejected domain can be approved.
 */
export function stateOfApplicant(rule: ApprovalRule, email: string): 'pending' | 'active' | 'rejected' {
  if (rule.approval === 'manual') return 'pending';
  if (rule.approval === 'automatic') return 'active';
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  for (let at = 0; at !== -1; at = next(domain, at)) {
    const suffix = domain.slice(at);
    if (rule.rejected_domains.includes(suffix)) return 'rejected';
    if (rule.approved_domains.includes(suffix)) return 'active';
  }
  return 'pending';
}

/** Returns the index at which the parent domain begins, or -1 without one. */
function next(domain: string, at: number): number {
  const dot = domain.indexOf('.', at);
  return dot === -1 ? -1 : dot + 1;
}

/** Lists applications, oldest first unless sorted otherwise. Affiliates who wait for a decision count as applicants, even if the merchant added them. */
export function listApplications(ctx: Ctx, { affiliate_id, state, ...page }: ListApplications): Promise<Page<ApplicationRecord>> {
  let query = applicants(ctx).where('affiliate.archived_at', 'is', null).where(oneOf('affiliate.state', state));
  if (affiliate_id !== undefined) query = query.where('affiliate.id', '=', affiliate_id);
  return paginate(query.where(allOf(whenUpdated('affiliate.updated_at', page))), page, {
    order: listOrder(page.sort, { table: 'affiliate', idProperty: 'affiliate_id' }),
    select: (all) => all.select([...COLUMNS, ANSWERS.as('answers'), APPLIED_AT.as('applied_at')]),
  });
}

/** Returns an affiliate's application. Throws NOT_FOUND for an affiliate who never applied. */
export async function getApplication(ctx: Ctx, { affiliate_id }: { affiliate_id: string }): Promise<ApplicationRecord> {
  const row = await applicants(ctx)
    .select([...COLUMNS, ANSWERS.as('answers'), APPLIED_AT.as('applied_at')])
    .where('affiliate.id', '=', affiliate_id)
    .executeTakeFirst();
  return foundOrThrow(row, 'application');
}

const COLUMNS = [
  'affiliate.id as affiliate_id',
  'affiliate.email',
  'affiliate.first_name',
  'affiliate.last_name',
  'affiliate.state',
  'affiliate.campaign_id',
  'campaign.name as campaign_name',
  'affiliate_application.note',
  'affiliate_application.decided_at',
  'affiliate.created_at',
  'affiliate.updated_at',
] as const;
const ANSWERS = sql<Answer[]>`coalesce(affiliate_application.answers, '[]')`;
const APPLIED_AT = sql<Instant>`coalesce(affiliate_application.applied_at, affiliate.created_at)`;

/** Selects the account's affiliates who applied or wait for a decision. */
function applicants({ db, accountId }: Ctx) {
  return db
    .selectFrom('affiliate')
    .innerJoin('campaign', 'campaign.id', 'affiliate.campaign_id')
    .leftJoin('affiliate_application', 'affiliate_application.affiliate_id', 'affiliate.id')
    .where('affiliate.account_id', '=', accountId)
    .where((eb) => eb.or([eb('affiliate.state', '=', 'pending'), eb('affiliate_application.affiliate_id', 'is not', null)]));
}

/**
 * Approves or rejects applicants, who get an email with the note. Skips affiliates who are no longer pending, because somebody else may have
 * decided at the same time.
 *
 * @throws VALIDATION_ERROR for an unknown affiliate; in this case nothing is changed
 */
export async function decideApplications(
  ctx: WriteCtx,
  { affiliate_ids, decision, note }: DecideApplications,
): Promise<DecidedApplications> {
  const ids = [...new Set(affiliate_ids)];
  await lockAffiliates(ctx, ids);
  const rows = await ctx.db
    .selectFrom('affiliate')
    .select(['id', 'state'])
    .where('account_id', '=', ctx.accountId)
    .where('archived_at', 'is', null)
    .where(oneOf('id', ids))
    .execute();
  const affiliates = new Map(rows.map((row) => [row.id, row]));
  const unknown = affiliate_ids.findIndex((id) => !affiliates.has(id));
  if (unknown !== -1) throw invalid(`affiliate_ids.${unknown}`, noSuch('affiliate'), 'not_found');
  const decided = ids.filter((id) => affiliates.get(id)!.state === 'pending');
  const state = decision === 'approve' ? 'active' : 'rejected';
  for (const id of decided) await updateApplicant(ctx, { id, state }, note === undefined ? {} : { note });
  return { decided, skipped: ids.filter((id) => !decided.includes(id)) };
}
