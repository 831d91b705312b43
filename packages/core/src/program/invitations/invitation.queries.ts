import { paginate } from '../../platform/wire/pagination.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { Invitation } from './invitation.entity.ts';
import { type InvitationId, InvitationRecord, type ListInvitations } from './invitation.schema.ts';

/** Returns the wire record of an invitation. */
export const invitationRecord: (row: Invitation) => InvitationRecord = wireRecord(Invitation, InvitationRecord).of;

export async function listInvitations(ctx: Ctx, { kind, status, page, limit }: ListInvitations) {
  let query = ctx.db.selectFrom('invitation').where('account_id', '=', ctx.accountId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (status !== undefined) query = query.where('status', '=', status);
  const { data, pagination } = await paginate(query, { page, limit }, (all) => all.selectAll().orderBy('id', 'desc'));
  return { data: data.map(invitationRecord), pagination };
}

/** Returns an invitation. Throws NOT_FOUND when it does not exist or is not of the given kind. */
export async function getInvitation(ctx: Ctx, { id, kind }: InvitationId): Promise<InvitationRecord> {
  let query = ctx.db.selectFrom('invitation').selectAll().where('account_id', '=', ctx.accountId).where('id', '=', id);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return invitationRecord(foundOrThrow(await query.executeTakeFirst(), 'invitation'));
}
