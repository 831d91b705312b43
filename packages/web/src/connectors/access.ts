import {
  CONSENT_PERMISSIONS,
  PAYING_PERMISSIONS,
  PROMO_CODE_MANAGEMENT,
  type Resource,
  type Role,
  decimalAmount,
  mayGrant,
  parseDecimalAmount,
} from '@affiliate/core/browser';
import { t } from '../texts/access.ts';

/** Access of an assistant, as form values. */
export interface AccessValues {
  /** Names of the granted permissions, without those that the field for promo codes stands for. */
  permissions: string[];
  allow_promo_code_management: boolean;
  /** True if the assistant may mark any amount as paid. */
  unlimited: boolean;
  daily_pay_limits: { currency: string; amount: string }[];
}

interface Access {
  permissions: readonly string[];
  daily_pay_limits: { currency: string; amount_cents: number }[] | null;
}

/** Labels of the resources that a person can grant access to. */
const LABELS: Readonly<Record<Exclude<Resource, 'api_keys' | 'affiliate_coupons'>, string>> = {
  affiliates: t.affiliates,
  campaigns: t.campaigns,
  commissions: t.commissions,
  connectors: t.connectors,
  imports: t.imports,
  invitations: t.invitations,
  links: t.links,
  members: t.members,
  payout_exports: t.payout_exports,
  payout_outcomes: t.payout_outcomes,
  payout_runs: t.payout_runs,
  payouts: t.payouts,
  portal_tokens: t.portal_tokens,
  psp: 'Stripe',
  referrals: t.referrals,
  sales: t.sales,
  webhooks: t.webhooks,
};
export const RESOURCE_LABELS: Readonly<Record<string, string>> = LABELS;

/** Returns the form values of an access. Permissions that the role does not allow are left out. */
export function accessValues({ permissions, daily_pay_limits }: Access, role: Role, currency: string): AccessValues {
  const granted = permissions.filter((name) => CONSENT_PERMISSIONS.includes(name) && mayGrant(role, name));
  const managesPromoCodes = PROMO_CODE_MANAGEMENT.every((name) => granted.includes(name));
  return {
    permissions: managesPromoCodes ? granted.filter((name) => !PROMO_CODE_MANAGEMENT.includes(name)) : granted,
    allow_promo_code_management: managesPromoCodes,
    unlimited: false,
    daily_pay_limits: daily_pay_limits?.map((limit) => ({
      currency: limit.currency,
      amount: decimalAmount(limit.amount_cents, limit.currency),
    })) ?? [{ currency, amount: '' }],
  };
}

/** True if the assistant could mark amounts as paid. */
export function mayPay({ permissions }: Pick<AccessValues, 'permissions'>): boolean {
  return permissions.some((name) => PAYING_PERMISSIONS.includes(name));
}

/** Returns the error of each invalid field. Validates amounts, because the service receives them as numbers. */
export function validateAccess(values: AccessValues): Record<string, string> {
  if (values.unlimited || !mayPay(values)) return {};
  const errors = values.daily_pay_limits.map(({ currency, amount }, place) =>
    parseDecimalAmount(amount, currency) === null
      ? [[`daily_pay_limits.${place}.amount`, t.enterAmount({ currency, value: decimalAmount(100_000, currency) })]]
      : [],
  );
  return Object.fromEntries(errors.flat()) as Record<string, string>;
}

/** Converts the form values to input for the service. */
export function accessOf(values: AccessValues) {
  const limits = values.daily_pay_limits.map(({ currency, amount }) => ({
    currency,
    amount_cents: parseDecimalAmount(amount, currency) ?? 0,
  }));
  const granted = [...values.permissions, ...(values.allow_promo_code_management ? PROMO_CODE_MANAGEMENT : [])];
  return {
    permissions: Object.fromEntries(granted.map((name) => [name, true])),
    daily_pay_limits: mayPay(values) && !values.unlimited ? limits : null,
  };
}
