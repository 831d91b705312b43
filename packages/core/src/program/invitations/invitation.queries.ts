import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { type BlockReason, blocks } from '../../platform/mail/blocked-recipients.ts';
import { allOf, whatIds, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { Invitation } from './invitation.entity.ts';
import { type InvitationId, type InvitationRecord, type ListInvitations, StoredInvitation } from './invitation.schema.ts';

const storedRecord = wireRecord(Invitation, StoredInvitation).of;

/** SQL column: why the person gets no emails, or null. An address that does not exist comes before a complaint. */
function emailProblem({ accountId, now }: Ctx) {
  return sql<BlockReason | null>`(
    select max(reason) from blocked_recipient blocked where ${blocks(sql`invitation.email`, { accountId, now })})`.as(
    'email_problem',
  );
}

function listed({ email_problem, ...row }: Invitation & { email_problem: BlockReason | null }): InvitationRecord {
  return { ...storedRecord(row), email_problem };
}

export async function listInvitations(ctx: Ctx, { kind, status, email, ...page }: ListInvitations) {
  let query = ctx.db.selectFrom('invitation').where('account_id', '=', ctx.accountId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (email !== undefined) query = query.where(sameText('email', email));
  if (status !== undefined) query = query.where('status', '=', status);
  const { data, pagination } = await paginate(
    query.where(allOf([...whenUpdated('updated_at', page), ...whatIds('id', page)])),
    page,
    {
      order: listOrder(page.sort, { table: 'invitation' }),
      select: (all) => all.selectAll().select(emailProblem(ctx)),
    },
  );
  return { data: data.map(listed), pagination };
}

/** Returns an invitation. Throws NOT_FOUND when it does not exist or is not of the given kind. */
export async function getInvitation(ctx: Ctx, { id, kind }: InvitationId): Promise<InvitationRecord> {
  let query = ctx.db
    .selectFrom('invitation')
    .selectAll()
    .select(emailProblem(ctx))
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return listed(foundOrThrow(await query.executeTakeFirst(), 'invitation'));
}
