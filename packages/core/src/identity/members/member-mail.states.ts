/** Emails that each member can choose per account (docs/rules/identity.md#mails-to-members). */
export const MEMBER_MAILS = ['applications', 'flagged_commissions', 'failing_endpoints', 'payouts_due', 'finished_runs'] as const;
export type MemberMail = (typeof MEMBER_MAILS)[number];
