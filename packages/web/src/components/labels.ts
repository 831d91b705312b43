import { COMMISSION_STATES } from '@affiliate/core/browser';
import { t } from '../texts/components.ts';
import { sentenceCase, t as values } from '../texts/values.ts';

/** Returns the label of a wire value. A value that is not in the catalogue is converted to sentence case. */
export function labelOf(value: string): string {
  if (Object.hasOwn(values, value)) return values[value as keyof typeof values];
  return sentenceCase(value.replaceAll('_', ' '));
}

/** Returns the state by which people know a commission. `pending` means something else for a payout and for an affiliate. */
export function stateOfCommission(state: string): string {
  return state === 'pending' ? 'not_due' : state;
}

/** States of commissions as options of a select. */
export function commissionStates(): { value: string; label: string }[] {
  return COMMISSION_STATES.map((state) => ({ value: state, label: labelOf(stateOfCommission(state)) }));
}

/** Labels of the input fields whose label cannot be derived from the wire name. */
const FIELD_LABELS: Record<string, string> = {
  email: t.email,
  walleta_email: t.paypalEmail,
  walletb_email: t.wiseEmail,
  psp_coupon_id: t.stripeCouponId,
  event_types: t.events,
  url: 'URL',
  token: t.linkCode,
  amount_cents: t.amount,
  commission_amount_cents: t.amount,
  commission_amount_currency: t.commissionCurrency,
  commission_percent: t.percentOfSale,
  minimum_payout_cents: t.minimumPayout,
  days_until_commissions_are_due: t.holdingPeriod,
  days_before_referrals_expire: t.attributionWindow,
  max_commissions: t.maximumCommissionsPerReferral,
  max_commission_period_months: t.recurringFor,
  newPassword: t.newPassword,
};

/** Returns the label of an input field, given its wire name or its path in the input. */
export function fieldLabelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  return FIELD_LABELS[name] ?? labelOf(name.replace(/_(id|ids|at|cents)$/, ''));
}

/** Returns these wire values as options of a select. */
export function optionsOf<Value extends string>(values: readonly Value[]): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}
