import { count, texts } from '../catalogue.ts';

/** Counts of records. */
export const t = texts('counts', {
  affiliates: count({ one: '{count} affiliate', other: '{count} affiliates' }),
  clicks: count({ one: '{count} click', other: '{count} clicks' }),
  commissions: count({ one: '{count} commission', other: '{count} commissions' }),
  conversions: count({ one: '{count} conversion', other: '{count} conversions' }),
  days: count({ one: '{count} day', other: '{count} days' }),
  deliveries: count({ one: '{count} delivery', other: '{count} deliveries' }),
  flaggedCommissions: count({ one: '{count} flagged commission', other: '{count} flagged commissions' }),
  leads: count({ one: '{count} lead', other: '{count} leads' }),
  links: count({ one: '{count} link', other: '{count} links' }),
  pages: count({ one: '{count} page', other: '{count} pages' }),
  payouts: count({ one: '{count} payout', other: '{count} payouts' }),
  promoCodes: count({ one: '{count} promo code', other: '{count} promo codes' }),
  records: count({ one: '{count} record', other: '{count} records' }),
  referrals: count({ one: '{count} referral', other: '{count} referrals' }),
  resources: count({ one: '{count} resource', other: '{count} resources' }),
  runningSubscriptions: count({ one: '{count} running subscription', other: '{count} running subscriptions' }),
  selected: count({ one: '{count} selected', other: '{count} selected' }),
  unpaidPayouts: count({ one: '{count} unpaid payout', other: '{count} unpaid payouts' }),
});
