/**
 * Flags commissions that a person should look at before they are paid (docs/rules/ledger.md#review). A commission that a person has
 * reviewed is not flagged again.
 */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lockAll } from '../../platform/call/records.ts';
import { emailsOfCustomer } from '../../program/customer-identities/customer-identity.ts';
import { type HeldAffiliates, lockAffiliate } from '../affiliate-lock.ts';
import { Commission, isUnpaid, type ReviewReason } from '../commissions/commission.entity.ts';
import {
  disputeFlag,
  markCommissionDisputed,
  markCommissionFlagged,
  markCommissionReleased,
  MAY_BE_FLAGGED,
  mayBeFlagged,
  releaseSuspicion,
} from '../commissions/commission.transitions.ts';
import { collectCommissions, findClaimedPayoutOf } from '../payouts/payout.transitions.ts';
import type { Sale } from '../sales/sale.entity.ts';
import { changeCommission, foldCountsSoon } from './book-commission.ts';

/** Facts about a sale that make its commission doubtful. */
export interface Doubts {
  /** True if a dispute of the charge is open. */
  isDisputed: boolean;
  /** True if a public lead connects the customer with the affiliate that was one of many from one network. */
  isCrowded: boolean;
  /** True if only a public lead connects the customer with the affiliate. */
  isUnproven: boolean;
  /** True if only an address that somebody typed connects the sale with the affiliate. */
  isUnverified: boolean;
  /** True if the affiliate was suspicious at the time of the charge, and has not become active since. */
  isSuspicious: boolean;
  /** True if another source has reported a sale that is probably the same. */
  isDuplicate: boolean;
  /** True if the tax of the sale was ignored, because it was stated in another currency. */
  isTaxIgnored: boolean;
}

/**
 * Returns the reasons why the commission of a sale should be reviewed. The commission shows the first of them. A suspicious affiliate is the last
 * reason, because the other reasons do not end when the affiliate becomes active.
 *
 * @param ownEmails all email addresses of the affiliate, including those for payouts
 * @param customerEmails all email addresses of the customer
 */
export function reviewReasonsOf(
  ownEmails: readonly string[],
  customerEmails: readonly string[],
  { isDisputed, isDuplicate, isTaxIgnored, isCrowded, isUnproven, isUnverified, isSuspicious }: Doubts,
): ReviewReason[] {
  const reasons: [ReviewReason, boolean][] = [
    ['dispute', isDisputed],
    ['self_referral', isSelfReferral(ownEmails, customerEmails)],
    ['possible_duplicate', isDuplicate],
    ['tax_currency', isTaxIgnored],
    ['crowded_network', isCrowded],
    ['unproven_lead', isUnproven],
    ['unverified_address', isUnverified],
    ['suspicious_affiliate', isSuspicious],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/**
 * Returns the reason that the flag of a commission should have, or null for no flag. Undefined: the flag stays as it is, because a person has reviewed
 * the commission, or it is claimed by a dispute, paid or voided (`mayBeFlagged`). A self-referral stays flagged until a person has looked at it. All other
 * reasons end when they no longer hold, so that the flag does not depend on the order in which facts arrived.
 *
 * @param reasons the reasons that hold now (`reviewReasonsOf`)
 */
export function flagFor(
  commission: Pick<Commission, 'state' | 'review_status' | 'review_reason'>,
  reasons: readonly ReviewReason[],
): ReviewReason | null | undefined {
  if (!mayBeFlagged(commission)) return undefined;
  if (commission.review_reason === 'self_referral') return 'self_referral';
  return reasons.find((each) => each !== 'dispute') ?? null;
}

/**
 * Updates the flag of a commission to the reasons that hold now (`flagFor`). Does nothing if the commission is claimed. Disputes flag and release
 * commissions by themselves (`updateDisputeFlags`).
 */
export async function updateFlag(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  reasons: readonly ReviewReason[],
): Promise<void> {
  const reason = flagFor(commission, reasons);
  if (reason === undefined || reason === commission.review_reason) return;
  if (reason !== null) return flag(ctx, held, commission, reason);
  await changeCommission(ctx, held, commission, () => markCommissionReleased(ctx, commission));
}

/**
 * Releases the commissions that were flagged because the affiliate was suspicious, and adds those that are due to the open payout
 * (docs/rules/ledger.md#review). Called after a person has set the affiliate active.
 */
export async function releaseFromSuspicion(ctx: WriteCtx, held: HeldAffiliates, affiliateId: string): Promise<void> {
  const released = await releaseSuspicion(ctx, affiliateId);
  if (released.length === 0) return;
  await collectCommissions(ctx, held, ctx.now, released);
  foldCountsSoon(ctx);
}

/**
 * Flags the affiliate's unpaid commissions whose customer has one of the affiliate's email addresses (docs/rules/ledger.md#self-referral). Called
 * after every change of the affiliate's addresses, by the merchant or in the portal. Does nothing if no address is new.
 *
 * @param former the email addresses before the change, including those for payouts
 * @param current the addresses after it
 */
export async function flagSelfReferrals(
  ctx: WriteCtx,
  affiliateId: string,
  former: readonly string[],
  current: readonly string[],
): Promise<void> {
  if (current.every((address) => former.includes(address))) return;
  const held = await lockAffiliate(ctx, affiliateId);
  const domains = current.flatMap(domainsLike);
  const { rows } = await sql<{ id: string; emails: string[] }>`
    select commission.id, known.emails
    from commission join sale on sale.id = commission.sale_id
      cross join lateral (select ${emailsOfCustomer(sql`sale.customer_id`)} as emails) known
    where commission.affiliate_id = ${affiliateId} and commission.kind in ('sale', 'imported', 'bonus') and ${MAY_BE_FLAGGED}
      and exists (select from unnest(known.emails) as email where split_part(email, '@', 2) = any (${domains}))
    order by commission.id`.execute(ctx.db);
  for (const { id } of rows.filter(({ emails }) => isSelfReferral(current, emails))) {
    const commissions = ctx.db.selectFrom('commission').selectAll().where('account_id', '=', ctx.accountId).where('id', '=', id);
    const [commission] = await lockAll(ctx, Commission, commissions);
    if (commission && mayBeFlagged(commission)) await flag(ctx, held, commission, 'self_referral');
  }
}

async function flag(ctx: WriteCtx, held: HeldAffiliates, commission: Locked<Commission>, reason: ReviewReason): Promise<void> {
  if ((await findClaimedPayoutOf(ctx.db, commission.id)) !== null) return;
  await changeCommission(ctx, held, commission, () => markCommissionFlagged(ctx, commission, reason));
}

/** An email provider's rules for the part of an address before the `@`. Addresses that differ only in ignored characters reach the same mailbox. */
interface Mailbox {
  /** In a normalized address, this domain replaces every domain of the email provider. */
  domain: string;
  /** True if the email provider ignores dots before the `@`. */
  dots: boolean;
  /** True if the email provider ignores `+` and everything between `+` and `@`. */
  plus: boolean;
}

/** The rules of email providers, by domain. At all other domains, no character is ignored. */
const MAILBOXES: ReadonlyMap<string, Mailbox> = new Map(
  [
    { domains: ['gmail.com', 'googlemail.com'], dots: true, plus: true },
    { domains: ['icloud.com', 'me.com', 'mac.com'], dots: false, plus: true },
    { domains: ['proton.me', 'protonmail.com', 'pm.me'], dots: false, plus: true },
    ...[
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'fastmail.com',
      'fastmail.fm',
      'zoho.com',
      'hey.com',
      'mailbox.org',
      'posteo.de',
    ].map((domain) => ({ domains: [domain], dots: false, plus: true })),
  ].flatMap(({ domains, ...rules }) => domains.map((domain) => [domain, { domain: domains[0]!, ...rules }] as const)),
);

/** Normalizes an address, so that addresses of the same mailbox compare equal. Normalizing an already normalized address does not change it. */
export function normalizeEmail(email: string): string {
  const [local, host] = splitLast(email.trim().toLowerCase(), '@');
  const mailbox = MAILBOXES.get(host);
  if (!mailbox) return `${local}@${host}`;
  // A removal that would leave an empty name is skipped.
  const name = (mailbox.plus && local.split('+')[0]) || local;
  const folded = (mailbox.dots && name.replaceAll('.', '').trim()) || name;
  return `${folded}@${mailbox.domain}`;
}

/** Returns the domains whose addresses may normalize to the same address as `email`. */
export function domainsLike(email: string): string[] {
  const [, host] = splitLast(normalizeEmail(email), '@');
  const same = [...MAILBOXES].filter(([, { domain }]) => domain === host).map(([domain]) => domain);
  return same.length > 0 ? same : [host];
}

/**
 * True if the customer has one of the affiliate's email addresses, including those for payouts. Such commissions are flagged for review
 * (docs/rules/ledger.md#self-referral).
 */
export function isSelfReferral(ownEmails: readonly string[], customerEmails: readonly string[]): boolean {
  if (customerEmails.length === 0) return false;
  const customer = new Set(customerEmails.map(normalizeEmail));
  return ownEmails.some((address) => customer.has(normalizeEmail(address)));
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
}

/**
 * Flags the unpaid commission and the unpaid positive adjustments of a disputed sale, even in a claimed payout, because the payout is not
 * paid yet. Clawbacks are not flagged. If no dispute is open, releases what a dispute has flagged. Changes only records of the sale's
 * affiliate.
 */
export async function updateDisputeFlags(ctx: WriteCtx, held: HeldAffiliates, sale: Sale): Promise<void> {
  if (sale.affiliate_id === null) return;
  const own = commissions(ctx).where('sale_id', '=', sale.id).where('affiliate_id', '=', sale.affiliate_id);
  if (!sale.disputed) return release(ctx, held, own);
  for (const commission of await lockAll(ctx, Commission, own)) {
    const flag = isUnpaid(commission) && !commission.superseded ? disputeFlag(commission) : null;
    if (flag !== null) await changeCommission(ctx, held, commission, () => markCommissionDisputed(ctx, commission, flag));
  }
}

/** Releases a commission that a dispute has flagged, and its adjustments. */
export function releaseFromDispute(ctx: WriteCtx, held: HeldAffiliates, { id }: Commission): Promise<void> {
  return release(
    ctx,
    held,
    commissions(ctx).where((is) => is.or([is('id', '=', id), is('adjusts_commission_id', '=', id)])),
  );
}

/** Releases commissions that a dispute has flagged, and forgets that a person approved them despite the dispute. */
async function release(ctx: WriteCtx, held: HeldAffiliates, all: ReturnType<typeof commissions>): Promise<void> {
  for (const commission of await lockAll(ctx, Commission, all.where('review_reason', '=', 'dispute'))) {
    if (isUnpaid(commission)) await changeCommission(ctx, held, commission, () => markCommissionReleased(ctx, commission));
    else markCommissionReleased(ctx, commission);
  }
}

function commissions({ db, accountId }: WriteCtx) {
  return db.selectFrom('commission').selectAll().where('account_id', '=', accountId).orderBy('id');
}
