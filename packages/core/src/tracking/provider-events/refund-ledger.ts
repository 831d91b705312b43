import type { Instant } from '../../platform/time/instant.ts';
import type { CreditNoteChanged, ProviderFact } from '../../provider/port/provider-event.ts';
import { splitTax } from './split-tax.ts';

/** Everything that was reported about money returned on one payment. Reports come in any order and any number of times. */
export interface RefundLedger {
  /**
   * The latest report of each refund, with its time (`at`). `since` is the time of the earliest report that the refund was effective. It is
   * missing for refunds that were never reported as effective.
   */
  refunds: Record<string, ToldRefund>;
  /** The latest report of the charge itself, with the cumulative refunded amount. */
  reported: { total: number; at: Instant } | null;
  /** Amounts of the closed disputes, by id: 0 unless the dispute was lost. */
  disputes: Record<string, { amount: number; at: Instant }>;
  /** The latest report of each credit note of the invoice. */
  notes: Record<string, CreditNote>;
}

interface ToldRefund {
  amount: number;
  effective: boolean;
  at: Instant;
  since?: Instant;
}

interface CreditNote {
  at: Instant;
  total: number;
  taxAmount: number | null;
  refunds: CreditNoteChanged['refunds'];
  voided: boolean;
}

export const NOTHING_REFUNDED: RefundLedger = { refunds: {}, reported: null, disputes: {}, notes: {} };

type RefundFact = Extract<ProviderFact, { kind: 'charge_refunded' | 'refund_updated' | 'dispute_closed' }>;

/** Returns the ledger with `fact` added, which the provider reported at `at`. */
export function enterRefund(ledger: RefundLedger, fact: RefundFact, at: Instant): RefundLedger {
  if (fact.kind === 'refund_updated') return { ...ledger, refunds: withRefund(ledger.refunds, fact.refund, at) };
  if (fact.kind === 'charge_refunded') {
    return {
      ...ledger,
      refunds: fact.refunds.reduce((refunds, refund) => withRefund(refunds, refund, at), ledger.refunds),
      reported: newerReport(ledger.reported, { total: fact.amountRefunded, at }),
    };
  }
  const known = ledger.disputes[fact.disputeId];
  if (known && known.at > at) return ledger;
  return { ...ledger, disputes: { ...ledger.disputes, [fact.disputeId]: { amount: fact.lost ? fact.amount : 0, at } } };
}

/** Returns the ledger with a credit note added, which the provider reported at `at`. */
export function enterCreditNote(ledger: RefundLedger, fact: CreditNoteChanged, at: Instant): RefundLedger {
  const { creditNoteId, total, taxAmount, refunds, voided } = fact;
  return withCreditNotes(ledger, { notes: { [creditNoteId]: { at, total, taxAmount, refunds, voided } } });
}

/** Returns the ledger with the credit notes of another ledger of the same invoice added. */
export function withCreditNotes(ledger: RefundLedger, { notes: others }: Pick<RefundLedger, 'notes'>): RefundLedger {
  const { notes } = ledger;
  const newer = Object.entries(others).filter(([id, note]) => !notes[id] || isLaterWord(note, notes[id]));
  return newer.length === 0 ? ledger : { ...ledger, notes: { ...notes, ...Object.fromEntries(newer) } };
}

/**
 * Returns the part of this payment's refunds whose tax is known from credit notes, and that tax. Only notes that are not voided and refunds
 * that did not fail count (docs/domain-rules.md#tax-of-refunds).
 */
export function notedRefunds({ refunds, notes }: RefundLedger): { noted: number; notedTax: number } {
  const left = new Map(Object.entries(refunds).map(([id, { amount, effective }]) => [id, effective ? amount : 0]));
  let [noted, notedTax] = [0, 0];
  for (const [, note] of Object.entries(notes).toSorted(byKey)) {
    if (note.voided || note.taxAmount === null) continue;
    for (const { refundId, amount, tax } of taxPerRefund(note, note.taxAmount, refunds)) {
      const covered = Math.min(amount, left.get(refundId) ?? 0);
      left.set(refundId, (left.get(refundId) ?? 0) - covered);
      noted += covered;
      notedTax += splitTax(tax, [covered, amount - covered])[0]!;
    }
  }
  return { noted, notedTax };
}

/** Splits the tax of a credit note between its refunds and the rest of the note's total. Returns the shares of the refunds. */
function taxPerRefund({ total, refunds: covered }: CreditNote, taxAmount: number, refunds: RefundLedger['refunds']) {
  let rest = total;
  const parts = covered
    .toSorted((a, b) => (a.refundId < b.refundId ? -1 : 1))
    .map(({ refundId, amount }) => {
      const part = Math.min(amount ?? refunds[refundId]?.amount ?? 0, rest);
      rest -= part;
      return { refundId, amount: part };
    });
  const taxes = splitTax(taxAmount, [...parts.map(({ amount }) => amount), rest]);
  return parts.map((part, index) => ({ ...part, tax: taxes[index]! }));
}

/**
 * True if the report `word` of a credit note is later than the report `known`. If both were made in the same second, a report that the note was
 * voided counts as later, because voiding is final. Otherwise the report with more refunds counts as later, because refunds are linked to a
 * note after it was issued.
 */
function isLaterWord(word: CreditNote, known: CreditNote): boolean {
  if (word.at !== known.at) return word.at > known.at;
  if (word.voided !== known.voided) return word.voided;
  if (word.refunds.length !== known.refunds.length) return word.refunds.length > known.refunds.length;
  return textOf(word) > textOf(known);
}

function textOf({ total, taxAmount, refunds }: CreditNote): string {
  return [total, taxAmount, ...refunds.map(({ refundId, amount }) => `${refundId} ${amount}`).toSorted()].join();
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/**
 * Computes how much of the payment was returned in total, in its currency's minor unit (docs/domain-rules.md#refunds; a lost dispute is a
 * refund). If the charge reports a higher total than the known refunds add up to, the charge's total counts, less the refunds that failed
 * after that report.
 */
export function refundedTotal({ refunds, reported, disputes }: RefundLedger): number {
  const known = Object.values(refunds);
  const effective = sum(known.filter((refund) => refund.effective));
  const failedSince = sum(known.filter((refund) => !refund.effective && reported !== null && refund.at > reported.at));
  return Math.max(effective, (reported?.total ?? 0) - failedSince) + sum(Object.values(disputes));
}

/**
 * Adds a report of a refund. A refund can fail after it succeeded, but not the reverse. Of two reports from the same second, the failure
 * therefore counts as the later one.
 */
function withRefund(
  refunds: RefundLedger['refunds'],
  { refundId, amount, effective }: { refundId: string; amount: number; effective: boolean },
  at: Instant,
): RefundLedger['refunds'] {
  const known = refunds[refundId];
  const times = [known?.since, effective ? at : undefined].filter((time) => time !== undefined);
  const since = times.length === 0 ? {} : { since: times.reduce((first, time) => (time < first ? time : first)) };
  const isFormer = known !== undefined && (known.at > at || (known.at === at && !known.effective));
  return { ...refunds, [refundId]: isFormer ? { ...known, ...since } : { amount, effective, at, ...since } };
}

/** Returns the later of two reports. In the same second, the higher total is the later report, because the refunded total only grows. */
function newerReport(known: RefundLedger['reported'], report: { total: number; at: Instant }): RefundLedger['reported'] {
  if (!known || report.at > known.at) return report;
  return report.at === known.at && report.total > known.total ? report : known;
}

function sum(entries: { amount: number }[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}
