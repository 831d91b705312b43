export const AFFILIATE_STATES = ['pending', 'active', 'disabled', 'suspicious', 'rejected'] as const;
export type AffiliateState = (typeof AFFILIATE_STATES)[number];

/** Frequencies of the email about earned commissions. `each`: an email for each commission. */
export const DIGESTS = ['each', 'daily', 'weekly', 'none'] as const;
export type Digest = (typeof DIGESTS)[number];

/** Affiliates who get the emails of the program: all, or those who have signed in at least once. */
export const PROGRAM_EMAILS = ['everyone', 'signed_in'] as const;
export type ProgramEmails = (typeof PROGRAM_EMAILS)[number];

/** The rules that decide which referral a visitor has after a click (docs/rules/program.md#clicks). */
export const TOUCH_RULES = ['new_visitor', 'first_click', 'last_click', 'former_not_live'] as const;
export type TouchRule = (typeof TOUCH_RULES)[number];

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export const COMMISSION_STATES = ['pending', 'due', 'paid', 'voided'] as const;
export type CommissionState = (typeof COMMISSION_STATES)[number];

export const PAYOUT_STATES = ['pending', 'due', 'processing', 'paid', 'returned'] as const;

export const PAYOUT_RUN_STATES = ['planned', 'executing', 'completed', 'partially_completed', 'canceled'] as const;
export type PayoutRunState = (typeof PAYOUT_RUN_STATES)[number];

export const PAYOUT_RUN_ITEM_STATES = ['planned', 'paid', 'returned', 'failed', 'excluded', 'canceled'] as const;

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Emails that each member can choose per account (docs/rules/identity.md#mails-to-members). */
export const MEMBER_MAILS = [
  'applications',
  'flagged_commissions',
  'failing_endpoints',
  'payouts_due',
  'finished_runs',
  'changed_payout_details',
  'troubled_payments',
  'troubled_connections',
] as const;
export type MemberMail = (typeof MEMBER_MAILS)[number];
