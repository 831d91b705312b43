/** Types the names of the related records that a list expands. */
const withRecords = <const Name extends string>(...names: Name[]) => names;

/** For each list: the column by which it is sorted by default (in descending order), and the `expand` of its query. */
export const LISTS = {
  affiliates: { sort: 'created_at', expand: withRecords('commission_stats') },
  commissions: { sort: 'created_at', expand: withRecords('affiliate', 'sale') },
  customers: { sort: 'created_at', expand: withRecords('affiliate') },
  referrals: { sort: 'created_at', expand: withRecords('affiliate', 'customer') },
  sales: { sort: 'charged_at', expand: undefined },
  payouts: { sort: 'created_at', expand: withRecords('affiliate', 'under_review') },
} as const;

export type ListName = keyof typeof LISTS;

/** The query for the campaigns by which a list can be filtered. */
export const CAMPAIGN_CHOICES = { limit: 100 };
