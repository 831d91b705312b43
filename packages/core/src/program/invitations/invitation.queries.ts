import { paginate } from '../../platform/wire/pagination.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import type { InvitationId, InvitationRecord, ListInvitations } from './invitation.schema.ts';

/** Returns the wire record of an invitation. Accepts an entity or a row. */
export function invitationRecord({ account_id: _, token_hash: _hash, ...columns }: TableRow<'invitation'>): InvitationRecord {
  return columns;
}

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
