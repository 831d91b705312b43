import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { allOf, whatIds, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { Invitation } from './invitation.entity.ts';
import { type InvitationId, InvitationRecord, type ListInvitations } from './invitation.schema.ts';

export const invitationRecord: (row: Invitation) => InvitationRecord = wireRecord(Invitation, InvitationRecord).of;

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
      select: (all) => all.selectAll(),
    },
  );
  return { data: data.map(invitationRecord), pagination };
}

/** Returns an invitation. Throws NOT_FOUND when it does not exist or is not of the given kind. */
export async function getInvitation(ctx: Ctx, { id, kind }: InvitationId): Promise<InvitationRecord> {
  let query = ctx.db.selectFrom('invitation').selectAll().where('account_id', '=', ctx.accountId).where('id', '=', id);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return invitationRecord(foundOrThrow(await query.executeTakeFirst(), 'invitation'));
}
