import { DomainError, invalid } from './errors.ts';

/** What a violated unique index means to the caller. Races end here: the check before the insert is only for a kinder message. */
const TAKEN: Record<string, () => DomainError> = {
  affiliate_email: () => invalid('email', 'Another affiliate has this e-mail address', 'taken'),
  campaign_account_id_slug_key: () => invalid('slug', 'Another campaign has this slug', 'taken'),
  campaign_one_default: () =>
    new DomainError('CONFLICT', 'Another request changed the default campaign at the same time. Try again.'),
  link_token: () => invalid('token', 'Another link has this token', 'taken'),
  referral_customer: () => invalid('customer_email', 'This customer is bound to another referral', 'taken'),
  invitation_one_pending: () => invalid('email', 'Has a pending invitation of this kind: send that one again', 'taken'),
  promo_code_owner: () => new DomainError('CONFLICT', 'This promotion code was assigned at the same time. Look who has it.'),
  affiliate_coupon_one: () => new DomainError('CONFLICT', 'The affiliate has a coupon already.'),
  auth_user_email: () => invalid('email', 'Another user has this e-mail address', 'taken'),
};

/** Said of what looks different to whoever tries again: two sales that bind one new customer at once. */
const RACES = ['referral_customer'];

/** Turns a violation of a unique index into the error it means; anything else is returned as it is. */
export function translateConstraint(error: unknown): unknown {
  const taken = TAKEN[postgresField(error, 'constraint') ?? ''];
  if (taken) return taken();
  return isUniqueViolation(error)
    ? new DomainError('CONFLICT', 'Another request changed the same at the same time. Try again.')
    : error;
}

/**
 * Deadlocks, serialization failures and lost races: the transaction did nothing and may simply run again. A unique index that says
 * nothing to the caller is one of the latter: looked at again, what the other request made is there, and is found.
 */
export function isTransient(error: unknown): boolean {
  const code = postgresField(error, 'code');
  const constraint = postgresField(error, 'constraint') ?? '';
  return code === '40P01' || code === '40001' || RACES.includes(constraint) || (isUniqueViolation(error) && !TAKEN[constraint]);
}

/** Whether an error is PostgreSQL's, for this constraint. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return postgresField(error, 'constraint') === constraint;
}

function isUniqueViolation(error: unknown): boolean {
  return postgresField(error, 'code') === '23505';
}

function postgresField(error: unknown, field: 'constraint' | 'code'): string | undefined {
  for (let next: unknown = error; next instanceof Error; next = next.cause) {
    const value = (next as Error & Record<string, unknown>)[field];
    if (typeof value === 'string' && (field === 'constraint' || /^[0-9A-Z]{5}$/.test(value))) return value;
  }
  return undefined;
}
