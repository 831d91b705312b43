/** The records that a list shows along with its own. */
const withRecords = <const Name extends string>(...names: Name[]) => names;

/** The order in which each list begins, latest first, and its `expand`. */
export const LISTS = {
  affiliates: { sort: 'created_at', expand: withRecords('campaign', 'commission_stats') },
  commissions: { sort: 'created_at', expand: withRecords('sale', 'campaign') },
  customers: { sort: 'created_at', expand: withRecords('affiliate') },
  referrals: { sort: 'created_at', expand: withRecords('affiliate', 'customer') },
  sales: { sort: 'charged_at', expand: undefined },
  payouts: { sort: 'created_at', expand: withRecords('affiliate') },
} as const;

export type ListName = keyof typeof LISTS;

/** The campaigns that lists can be filtered by. */
export const CAMPAIGN_CHOICES = { limit: 100 };
