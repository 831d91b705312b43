import { createHash, randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Role } from '../../platform/access/permissions.ts';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { STATES } from '../../platform/texts/refusal-words.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { InvitationStatus } from '../../platform/wire/states.ts';
import { PROGRAM_REASONS } from '../reasons.ts';

export const INVITATION_KINDS = ['member', 'affiliate'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];

export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    kind: p.string().$type<InvitationKind>(),
    email: p.string(),
    /** Set for member invitations only. */
    role: p.string().$type<Role>().strictNullable(),
    /** Set for affiliate invitations only. */
    campaign_id: p.string().strictNullable(),
    status: p.string().$type<InvitationStatus>(),
    token_hash: p.string(),
    invited_by_user_id: p.string().strictNullable(),
    accepted_by_user_id: p.string().strictNullable(),
    affiliate_id: p.string().strictNullable(),
    expires_at: instant(),
    resent_at: instant().strictNullable(),
    accepted_at: instant().strictNullable(),
    revoked_at: instant().strictNullable(),
  },
});

/** An offer to the owner of an email address, to join an account or to become its affiliate. */
export type Invitation = Row<typeof Invitation>;

/** Throws VALIDATION_ERROR unless the invitation is pending and has not expired. */
export function assertAcceptable(invitation: Invitation, at: Instant): void {
  assertPending(invitation, 'accepted');
  if (invitation.expires_at <= at) throw invalid('status', PROGRAM_REASONS.invitation_expired, 'expired');
}

/** The changes that accept an invitation. Throws VALIDATION_ERROR unless it is pending and has not expired. */
export function accepted(
  invitation: Invitation,
  at: Instant,
  by: { userId: string | null; affiliateId: string | null },
): Partial<Invitation> {
  assertAcceptable(invitation, at);
  return {
    status: 'accepted',
    accepted_at: at,
    accepted_by_user_id: by.userId,
    affiliate_id: by.affiliateId,
    updated_at: at,
  };
}

/** The changes that revoke an invitation, even an expired one. Throws VALIDATION_ERROR unless it is pending. */
export function revokedInvitation(invitation: Invitation, at: Instant): Partial<Invitation> {
  assertPending(invitation, 'revoked');
  return { status: 'revoked', revoked_at: at, updated_at: at };
}

/** The changes that set a new token and a new expiry. The former token stops working. Throws VALIDATION_ERROR unless the invitation is pending. */
export function renewed(invitation: Invitation, at: Instant, tokenHash: string, expiresAt: Instant): Partial<Invitation> {
  assertPending(invitation, 'sent again');
  return { token_hash: tokenHash, expires_at: expiresAt, resent_at: at, updated_at: at };
}

export function assertPending({ status }: Pick<Invitation, 'status'>, done: string): void {
  if (status !== 'pending')
    throw invalid('status', PROGRAM_REASONS.invitation_not_pending({ done, status: STATES[status] }), 'not_pending');
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    invitation: InferKyselyTable<typeof Invitation>;
  }
}

/** Creates the token of an emailed link: 256 random bits, of which only the hash is stored. */
export function newInvitationToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashInvitationToken(token) };
}

export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
