import { proportionOf } from '../../../platform/money/money.ts';
import type { Instant } from '../../../platform/time/instant.ts';
import type { RefundSeen, DisputeSeen } from '../../port/seen.ts';
import type { CreditNoteChanged, ProviderLine } from '../values/provider-event.ts';
import type { StoredFact } from './piece.ts';
import { splitTax } from './split-tax.ts';

/** Everything that was reported about money returned on one payment. Reports come in any order and any number of times. */
export interface RefundLedger {
  /**
   * The latest report of each refund, with its time (`at`). `since` is the time of the earliest report that the refund was effective. It is
   * missing for refunds that were never reported as effective.
   */
  refunds: Record<string, ReportedRefund>;
  /** The latest report of the charge itself, with the cumulative refunded amount. */
  reported: { total: number; at: Instant } | null;
  disputes: Record<string, ReportedDispute>;
  /** The latest report of each credit note of the invoice. */
  notes: Record<string, CreditNote>;
  /** Amounts that the merchant paid back outside the provider (`withOutsideRefunds`). No report of the charge contains them. */
  outside?: Record<string, ReportedRefund>;
  /**
   * The part of the authorized amount that was not captured. Each further capture makes it smaller, so the smallest report is the latest.
   * Missing as long as no event has stated the captured amount.
   */
  released?: number;
}

interface ReportedRefund {
  amount: number;
  effective: boolean;
  at: Instant;
  since?: Instant;
}

interface ReportedDispute {
  /** 0 unless the dispute was lost. Versions before `open` existed read this amount, too. */
  amount: number;
  at: Instant;
  /** True while the dispute is open. Missing once the dispute is closed. */
  open?: true;
}

interface CreditNote {
  at: Instant;
  /** Time of the earliest report of the note before it was voided. */
  since?: Instant;
  total: number;
  taxAmount: number | null;
  /** Missing in ledgers that an older version wrote. */
  currency?: string;
  refunds: CreditNoteChanged['refunds'];
  before?: number;
  outside?: number;
  shipping?: number;
  lines?: CreditNoteChanged['lines'];
  voided: boolean;
}

export const NOTHING_REFUNDED: RefundLedger = { refunds: {}, reported: null, disputes: {}, notes: {} };

type RefundFact = StoredFact<'charge_refunded' | 'refund_updated' | 'dispute_changed'>;

/** Returns the ledger with `fact` added, which the provider reported at `at`. */
export function enterRefund(ledger: RefundLedger, fact: RefundFact, at: Instant): RefundLedger {
  if (fact.kind === 'refund_updated') return { ...ledger, refunds: withRefund(ledger.refunds, fact.refund, at) };
  if (fact.kind === 'charge_refunded') {
    return {
      ...enterRelease(ledger, fact.released),
      refunds: fact.refunds.reduce((refunds, refund) => withRefund(refunds, refund, at), ledger.refunds),
      reported: newerReport(ledger.reported, { total: fact.amountRefunded, at }),
    };
  }
  const { disputeId, outcome, amount } = fact;
  const dispute = { amount: outcome === 'lost' ? amount : 0, at, ...(outcome === 'open' && { open: true as const }) };
  return { ...ledger, disputes: withDisputes(ledger.disputes, { [disputeId]: dispute }) };
}

/** Returns the disputes of two ledgers of the same payment, with the later report of each dispute (`isLaterDispute`). */
function withDisputes(disputes: RefundLedger['disputes'], others: RefundLedger['disputes']): RefundLedger['disputes'] {
  const newer = Object.entries(others).filter(([id, other]) => !disputes[id] || isLaterDispute(other, disputes[id]));
  return { ...disputes, ...Object.fromEntries(newer) };
}

/**
 * True if the report `word` of a dispute is later than the report `known`. The times have whole seconds, so that two reports may have the same
 * time. Of these, a report that the dispute was closed counts as later than one that it is open, and a lost dispute as later than a won one,
 * because a wrong clawback can still be corrected, but a wrong payment cannot be taken back.
 */
function isLaterDispute(word: ReportedDispute, known: ReportedDispute): boolean {
  if (word.at !== known.at) return word.at > known.at;
  if (word.open !== known.open) return known.open === true;
  return word.amount > known.amount;
}

/** Returns the ledger with a report of the amount that was not captured. Null and undefined stand for no report. */
export function enterRelease(ledger: RefundLedger, released: number | null | undefined): RefundLedger {
  if (released === null || released === undefined || released >= (ledger.released ?? Infinity)) return ledger;
  return { ...ledger, released };
}

/**
 * Returns the id of the refund by which the provider released the amount that was not captured, or null if the provider has not listed such
 * a refund. The provider makes a single refund of exactly this amount at the capture, so the earliest refund of this amount is the release.
 */
function releasingRefund({ refunds, released = 0 }: RefundLedger): string | null {
  if (released === 0) return null;
  const order = ([id, { since, at }]: [string, ReportedRefund]) => `${since ?? at} ${id}`;
  const candidates = Object.entries(refunds).filter(([, { amount, effective }]) => effective && amount === released);
  return candidates.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0]?.[0] ?? null;
}

/** Returns the ledger with a credit note added, which the provider reported at `at`. */
export function enterCreditNote(ledger: RefundLedger, fact: StoredFact<'credit_note_changed'>, at: Instant): RefundLedger {
  const { creditNoteId, total, taxAmount, currency, refunds, before, outside, shipping, lines, voided } = fact;
  const since = voided ? {} : { since: at };
  const note = {
    at,
    ...since,
    total,
    taxAmount,
    currency,
    refunds,
    ...(before && { before }),
    ...(outside && { outside }),
    ...(shipping && { shipping }),
    ...(lines && { lines }),
    voided,
  };
  return withCreditNotes(ledger, { notes: { [creditNoteId]: note } });
}

/** Returns the ledger with the credit notes of another ledger of the same invoice added. */
export function withCreditNotes(ledger: RefundLedger, { notes: others }: Pick<RefundLedger, 'notes'>): RefundLedger {
  const { notes } = ledger;
  const merged = Object.entries(others).map(([id, note]): [string, CreditNote] => {
    const known = notes[id];
    if (known === undefined) return [id, note];
    const times = [known.since, note.since].filter((time) => time !== undefined).toSorted();
    return [id, { ...(isLaterWord(note, known) ? note : known), ...(times[0] && { since: times[0] }) }];
  });
  return { ...ledger, notes: { ...notes, ...Object.fromEntries(merged) } };
}

/**
 * Returns the ledger of a payment with its part of what the credit notes of its invoice say was paid back outside the provider: a refund of the payment
 * that the provider does not know otherwise.
 *
 * @param partOf this payment's part of an amount that was paid back for the invoice
 */
export function withOutsideRefunds(
  ledger: RefundLedger,
  currency: string | null,
  partOf: (amount: number) => number,
): RefundLedger {
  const outside = Object.entries(ledger.notes).flatMap(([id, note]): [string, ReportedRefund][] => {
    const { at, since, voided } = note;
    const counts = note.outside !== undefined && (note.currency ?? currency) === currency && !(voided && since === undefined);
    const amount = counts ? partOf(note.outside!) : 0;
    return amount > 0 ? [[id, { amount, effective: !voided, at, ...(since && { since }) }]] : [];
  });
  if (outside.length === 0) return ledger;
  const parts = Object.fromEntries(outside);
  const notes = Object.entries(ledger.notes).map(([id, note]) => {
    const part = parts[id];
    return [id, part ? { ...note, refunds: [...note.refunds, { refundId: id, amount: part.amount }] } : note] as const;
  });
  return { ...ledger, notes: Object.fromEntries(notes), outside: parts };
}

/** Returns all refunds of a ledger, at the provider and outside. */
function allRefunds({ refunds, outside = {} }: RefundLedger): Record<string, ReportedRefund> {
  return { ...refunds, ...outside };
}

/**
 * Returns the parts of this payment's refunds whose tax is known from credit notes, with that tax, by the id of the refund. Only notes that are not
 * voided and refunds that did not fail count (docs/rules/ledger.md#tax-of-refunds). Nothing is converted between currencies, so the tax of a note in
 * another currency than the payment belongs to no amount.
 *
 * @param currency the currency of the payment
 */
function taxedParts(ledger: RefundLedger, currency: string): Map<string, RefundSeen['taxed']> {
  const { notes } = ledger;
  const refunds = allRefunds(ledger);
  const release = releasingRefund(ledger);
  const left = new Map(
    Object.entries(refunds).map(([id, { amount, effective }]) => [id, effective && id !== release ? amount : 0]),
  );
  const parts = new Map<string, RefundSeen['taxed']>();
  const add = (refundId: string, amount: number, tax: number, of: string) =>
    void parts.set(refundId, [...(parts.get(refundId) ?? []), { amount, tax: { amount: tax, currency: of } }]);
  for (const [, note] of Object.entries(notes).toSorted(byKey)) {
    const { voided, taxAmount, currency: of = currency } = note;
    if (voided || taxAmount === null) continue;
    for (const { refundId, amount, tax } of taxPerRefund(note, taxAmount, refunds)) {
      const covered = of === currency ? Math.min(amount, left.get(refundId) ?? 0) : 0;
      left.set(refundId, (left.get(refundId) ?? 0) - covered);
      const isCounted = of === currency ? covered > 0 : refunds[refundId]?.effective === true;
      if (isCounted) add(refundId, covered, of === currency ? splitTax(tax, [covered, amount - covered])[0]! : tax, of);
    }
  }
  return parts;
}

/**
 * Returns the amounts, without tax, that credit notes take back from lines of the invoice, by the id of the line, with the refunds of each note. Notes
 * and refunds count as in `taxedParts`.
 */
function creditedLines(ledger: RefundLedger, currency: string) {
  const refunds = allRefunds(ledger);
  return Object.entries(ledger.notes)
    .toSorted(byKey)
    .flatMap(([, note]) =>
      (note.refunds.length === 0 ? [] : (note.lines ?? [])).map(({ lineId, amount }) => ({
        lineId,
        refundIds: note.refunds.map(({ refundId }) => refundId),
        amount: refundedPart(amount, note, refunds, currency),
      })),
    );
}

/** Returns lines of an invoice without what credit notes took back from them before the invoice was paid. */
export function linesLeft(
  lines: readonly ProviderLine[],
  { notes }: Pick<RefundLedger, 'notes'>,
  currency: string | null,
): ProviderLine[] {
  const counted = Object.values(notes).filter(({ voided, currency: of = currency }) => !voided && of === currency);
  const takenFrom = (id: string | undefined) =>
    counted.reduce((taken, { lines: credited = [], before = 0, total }) => {
      const cents = sum(credited.filter(({ lineId }) => lineId === id));
      return taken + (total > 0 ? proportionOf(cents, Math.min(before, total), total) : 0);
    }, 0);
  const left = lines.map((line) => ({ ...line, amount: line.amount - Math.min(takenFrom(line.id), Math.max(0, line.amount)) }));
  // Amounts without a weight could not share what was paid.
  return left.some(({ amount }) => amount > 0) ? left : [...lines];
}

/** Returns the shipping, with its tax, that credit notes take back, by the refund that is the first known one of its note. */
export function creditedShipping(ledger: RefundLedger, currency: string | null): ReadonlyMap<string, number> {
  const refunds = allRefunds(ledger);
  const credited = new Map<string, number>();
  for (const [, note] of Object.entries(ledger.notes).toSorted(byKey)) {
    const id = note.refunds.find(({ refundId }) => refunds[refundId])?.refundId;
    if (id === undefined || note.shipping === undefined || currency === null) continue;
    credited.set(id, (credited.get(id) ?? 0) + refundedPart(note.shipping, note, refunds, currency));
  }
  return credited;
}

/**
 * Returns the refunded part of something that a credit note takes back. Of a note that covers more than was refunded, e.g. a credit to the customer’s
 * balance, the refunded share counts. Nothing of one that was voided or is in another currency than the payment does.
 */
function refundedPart(
  cents: number,
  { voided, currency: of, total, refunds: covered }: CreditNote,
  refunds: RefundLedger['refunds'],
  currency: string,
): number {
  if (voided || total <= 0 || (of ?? currency) !== currency) return 0;
  const refunded = covered.reduce((sum, { refundId, amount }) => {
    const refund = refunds[refundId];
    return sum + (refund?.effective ? Math.min(amount ?? refund.amount, refund.amount) : 0);
  }, 0);
  return proportionOf(cents, Math.min(refunded, total), total);
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

function textOf({ total, taxAmount, outside, refunds }: CreditNote): string {
  return [total, taxAmount, outside, ...refunds.map(({ refundId, amount }) => `${refundId} ${amount}`).toSorted()].join();
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/**
 * Computes how much of the payment was returned in total, in its currency's minor unit (docs/rules/ledger.md#refunds; a lost dispute is a
 * refund). If the charge reports a higher total than the known refunds add up to, the charge's total counts, less the refunds that failed
 * after that report. The amount that was not captured was never paid, so it counts neither as a refund nor within the charge's total.
 */
export function refundedTotal(ledger: RefundLedger): number {
  const { refunds, reported, disputes, outside = {}, released = 0 } = ledger;
  const release = releasingRefund(ledger);
  const known = Object.entries(refunds).flatMap(([id, refund]) => (id === release ? [] : [refund]));
  const effective = sum(known.filter((refund) => refund.effective));
  const failedSince = sum(known.filter((refund) => !refund.effective && reported !== null && refund.at > reported.at));
  const elsewhere = [...Object.values(disputes), ...Object.values(outside).filter((refund) => refund.effective)];
  return Math.max(effective, (reported?.total ?? 0) - failedSince - released) + sum(elsewhere);
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

/**
 * Returns the refunds of a ledger. The refunded total in a report of the charge may include refunds that were not reported individually. They are one
 * more refund. The release of an amount that was not captured is none.
 *
 * @param currency the currency of the payment; null if it is not known
 * @param lines the lines that were sold
 */
export function refundsSeen(ledger: RefundLedger, currency: string | null, lines: readonly ProviderLine[]): RefundSeen[] {
  const release = releasingRefund(ledger);
  const taxed = currency === null ? new Map<string, never>() : taxedParts(ledger, currency);
  const productOf = new Map(lines.map(({ id, product }) => [id, product]));
  const credited = (currency === null ? [] : creditedLines(ledger, currency)).filter(({ lineId }) => productOf.has(lineId));
  const refunds = allRefunds(ledger);
  const listed = Object.entries(refunds)
    .filter(([id]) => id !== release)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { amount, effective, at, since }]): RefundSeen => ({
      id,
      amount,
      at: since ?? at,
      state: effective ? 'done' : 'failed',
      failedAt: effective || since === undefined ? null : at,
      taxed: taxed.get(id) ?? [],
      // A note may cover several refunds. Its lines are those of the first one that is known.
      lines: credited
        .filter(({ refundIds }) => refundIds.find((each) => refunds[each]) === id)
        .map(({ lineId, amount: cents }) => ({ product: productOf.get(lineId)!, amount: cents })),
    }));
  const done = [...listed.filter(({ state }) => state === 'done'), ...Object.values(ledger.disputes)];
  const unlisted = done.reduce((rest, { amount }) => rest - amount, refundedTotal(ledger));
  if (ledger.reported === null || unlisted <= 0) return listed;
  const { at } = ledger.reported;
  return [...listed, { id: 'unlisted', amount: unlisted, at, state: 'done', failedAt: null, taxed: [], lines: [] }];
}

export function disputesSeen({ disputes }: RefundLedger): DisputeSeen[] {
  return Object.entries(disputes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, { amount, at, open }]) => ({ id, amount, at, outcome: open ? 'open' : amount > 0 ? 'lost' : 'won' }));
}
