import { lockAffiliates } from '../../ledger/affiliate-lock.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, type PageInput, paginate } from '../../platform/wire/pagination.ts';
import { updateApplicant } from '../../program/applicants/update-applicant.ts';
import type { ApplicationRecord, DecideApplications, DecidedApplications, PendingApplication } from './application.schema.ts';

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

/** Lists the applicants about whom the merchant has to decide, oldest first. */
export async function listApplications(ctx: Ctx, page: PageInput): Promise<Page<PendingApplication>> {
  const pending = ctx.db
    .selectFrom('affiliate')
    .where('affiliate.account_id', '=', ctx.accountId)
    .where('affiliate.state', '=', 'pending')
    .where('affiliate.archived_at', 'is', null);
  const { data, pagination } = await paginate(pending, page, {
    order: listOrder('created_at', { table: 'affiliate', idProperty: 'affiliate_id' }),
    select: (all) =>
      all
        .innerJoin('campaign', 'campaign.id', 'affiliate.campaign_id')
        .leftJoin('affiliate_application', 'affiliate_application.affiliate_id', 'affiliate.id')
        .select([
          'affiliate.id as affiliate_id',
          'affiliate.email',
          'affiliate.first_name',
          'affiliate.last_name',
          'campaign.name as campaign_name',
          'affiliate_application.answers',
          'affiliate.created_at as applied_at',
        ]),
  });
  return { data: data.map(({ answers, ...application }) => ({ ...application, answers: answers ?? [] })), pagination };
}

/** Returns an affiliate's application. Null for an affiliate who never applied. Throws NOT_FOUND for an unknown affiliate. */
export async function getApplication(ctx: Ctx, { affiliate_id }: { affiliate_id: string }): Promise<ApplicationRecord> {
  const { applied_at, decided_at, note, answers } = foundOrThrow(
    await ctx.db
      .selectFrom('affiliate')
      .leftJoin('affiliate_application', 'affiliate_application.affiliate_id', 'affiliate.id')
      .select(['answers', 'note', 'applied_at', 'decided_at'])
      .where('affiliate.account_id', '=', ctx.accountId)
      .where('affiliate.id', '=', affiliate_id)
      .executeTakeFirst(),
    'affiliate',
  );
  return applied_at === null ? null : { answers: answers ?? [], note, applied_at, decided_at };
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
  if (unknown !== -1) throw invalid(`affiliate_ids.${unknown}`, 'No such affiliate.', 'not_found');
  const decided = ids.filter((id) => affiliates.get(id)!.state === 'pending');
  const state = decision === 'approve' ? 'active' : 'rejected';
  for (const id of decided) await updateApplicant(ctx, { id, state }, note === undefined ? {} : { note });
  return { decided, skipped: ids.filter((id) => !decided.includes(id)) };
}
