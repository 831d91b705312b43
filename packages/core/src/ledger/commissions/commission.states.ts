export const COMMISSION_STATES = ['pending', 'due', 'paid', 'voided'] as const;
export type CommissionState = (typeof COMMISSION_STATES)[number];
