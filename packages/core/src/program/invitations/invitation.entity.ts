import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { invalid } from '../../platform/errors/errors.ts';
import type { Role } from '../../platform/access/permissions.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { InvitationStatus } from './invitation.states.ts';

export const INVITATION_KINDS = ['member', 'affiliate'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];

export const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    ...recordColumns,
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

/** An offer to the holder of an email address, to join an account or to become its affiliate. */
export class Invitation extends InvitationSchema.class {
  isExpired(at: Instant): boolean {
    return this.expires_at <= at;
  }

  /** Throws VALIDATION_ERROR unless the invitation is pending and has not expired. */
  assertAcceptable(at: Instant): void {
    this.assertPending('accepted');
    if (this.isExpired(at)) throw invalid('status', 'This invitation has expired. Ask for it to be sent again.', 'expired');
  }

  accept(at: Instant, by: { userId: string | null; affiliateId: string | null }): void {
    this.assertAcceptable(at);
    this.status = 'accepted';
    this.accepted_at = at;
    this.accepted_by_user_id = by.userId;
    this.affiliate_id = by.affiliateId;
    this.updated_at = at;
  }

  /** Revokes the invitation, even if it has expired. Throws VALIDATION_ERROR unless the invitation is pending. */
  revoke(at: Instant): void {
    this.assertPending('revoked');
    this.status = 'revoked';
    this.revoked_at = at;
    this.updated_at = at;
  }

  /** Sets a new token and a new expiry. The former token stops working. Throws VALIDATION_ERROR unless the invitation is pending. */
  renew(at: Instant, tokenHash: string, expiresAt: Instant): void {
    this.assertPending('sent again');
    this.token_hash = tokenHash;
    this.expires_at = expiresAt;
    this.resent_at = at;
    this.updated_at = at;
  }

  assertPending(done: string): void {
    if (this.status !== 'pending') {
      throw invalid('status', `Only a pending invitation can be ${done}; this one is ${this.status}.`, 'not_pending');
    }
  }
}
InvitationSchema.setClass(Invitation);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    invitation: InferKyselyTable<typeof InvitationSchema>;
  }
}
