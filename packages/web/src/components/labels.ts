/** Labels that differ from the wire value in more than case and underscores. */
const LABELS: Record<string, string> = {
  suspicious: 'Flagged',
  not_positive: 'Nothing to pay',
  rest_canceled: 'Partly paid, rest canceled',
};

/** The label of a wire value, e.g. `partially_completed`, in sentence case. */
export function labelOf(value: string): string {
  const label = LABELS[value] ?? value.replaceAll('_', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Labels of input fields that differ from the wire name in more than case and underscores. */
const FIELD_LABELS: Record<string, string> = {
  email: 'E-mail',
  walleta_email: 'PayPal e-mail',
  walletb_email: 'Wise e-mail',
  psp_coupon_id: 'Stripe coupon ID',
  event_types: 'Events',
  url: 'URL',
  token: 'Link code',
  amount_cents: 'Amount',
  commission_amount_cents: 'Amount',
  commission_amount_currency: 'Commission currency',
  commission_percent: 'Percent of sale',
  minimum_payout_cents: 'Minimum payout',
  days_until_commissions_are_due: 'Holding period',
  days_before_referrals_expire: 'Attribution window',
  max_commissions: 'Maximum commissions per referral',
  max_commission_period_months: 'Recurring for',
  newPassword: 'New password',
};

/** The label of an input field, by its wire name or the path to it. */
export function fieldLabelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  return FIELD_LABELS[name] ?? labelOf(name.replace(/_(id|ids|at|cents)$/, ''));
}

/** Options of a select for these wire values. */
export function optionsOf<Value extends string>(values: readonly Value[]): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}

/** A count with its noun: `1 referral`, `2 deliveries`. */
export function counted(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString()} ${count === 1 ? noun : plural}`;
}
