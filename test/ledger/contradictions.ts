/**
 * An independent ledger: recomputes from the rows of sales, refunds, disputes, terms and states what commissions, adjustments and payouts must be, and
 * compares. It reads the database by plain SQL and shares no code with the service, so that an error there is not repeated here.
 */
import { Client } from 'pg';
import { amountOfSale, History, percentOf, returnedBy, shareLeft } from './amounts.ts';
import { type CommissionRow, type PayoutRow, readRows, type Rows, type SaleRow } from './rows.ts';

/** Describes each contradiction in the rows of all accounts in a sentence. */
export async function findContradictions(client: Client): Promise<string[]> {
  return [...new Books(await readRows(client)).contradictions()];
}

/** Throws with the first contradictions of a database, if there are any. */
export async function assertNoContradictions(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const found = await findContradictions(client);
    if (found.length > 0) throw new Error([`The ledger finds ${found.length} contradictions:`, ...found.slice(0, 20)].join('\n'));
  } finally {
    await client.end();
  }
}

/** True if a person has approved or flagged the commission itself. */
function isReviewed({ review_status, review_reason }: CommissionRow): boolean {
  return review_status === 'approved' || (review_status === 'suspicious' && review_reason === null);
}

class Books {
  readonly #rows: Rows;
  readonly #history: History;
  readonly #sales: Map<string, SaleRow>;
  /** The sale with each id of the provider. */
  readonly #saleNaming: Map<string, SaleRow>;
  readonly #payouts: Map<string, PayoutRow>;
  readonly #commissions: Map<string, CommissionRow>;
  /** The payout of each commission. */
  readonly #payoutOf: Map<string, PayoutRow>;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#history = new History(rows);
    this.#sales = byId(rows.sales);
    this.#saleNaming = new Map(rows.sales.flatMap((sale) => sale.names.map((name) => [`${sale.account_id} ${name}`, sale])));
    this.#payouts = byId(rows.payouts);
    this.#commissions = byId(rows.commissions);
    this.#payoutOf = new Map(rows.items.map((item) => [item.commission_id, this.#payouts.get(item.payout_id)!]));
  }

  *contradictions(): Generator<string> {
    yield* this.#sameSales();
    yield* this.#refunds();
    yield* this.#disputes();
    yield* this.#terms();
    yield* this.#earners();
    yield* this.#credits();
    yield* this.#bonuses();
    yield* this.#caps();
    yield* this.#limits();
    yield* this.#flags();
    yield* this.#payoutAmounts();
    yield* this.#payments();
    yield* this.#balances();
    yield* this.#announcements();
  }

  /** A payment is worth something in one sale only, also if other sales name its charge or its payment intent. This sale has all refunds. */
  *#sameSales(): Generator<string> {
    const refunded = new Set(this.#rows.refunds.map(({ sale_id }) => sale_id));
    for (const { id, repeats_sale_id, charge_amount_cents } of this.#rows.sales) {
      if (repeats_sale_id === null) continue;
      if (charge_amount_cents !== 0 || refunded.has(id)) yield `sale ${id} repeats a payment, but has an amount or refunds`;
    }
    for (const { account_id, charge, intent } of this.#rows.samePayments) {
      const [one, other] = [charge, intent].map((name) => this.#saleNaming.get(`${account_id} ${name}`));
      if (one === undefined || other === undefined || one.id === other.id) continue;
      if (one.charge_amount_cents !== 0 && other.charge_amount_cents !== 0)
        yield `sale ${other.id} has the payment of sale ${one.id}`;
    }
  }

  /**
   * A sale has been refunded as much as the provider or one report of the merchant stated, whichever is most. What the reports state together beyond that
   * is in doubt, unless the provider has stated as much as each report.
   */
  *#refunds(): Generator<string> {
    const byProvider = new Map(this.#rows.payments.map((payment) => [payment.sale_id, returnedBy(payment)]));
    const payments = new Map(this.#rows.payments.map((payment) => [payment.sale_id, payment]));
    const byMerchant = Map.groupBy(this.#rows.refunds, ({ sale_id }) => sale_id);
    for (const sale of this.#rows.sales) {
      const refunds = byMerchant.get(sale.id) ?? [];
      const authors = new Set(refunds.map(({ reported_sale_id }) => reported_sale_id ?? sale.id));
      const totals = [...authors].map((author) => total(refunds.filter((each) => (each.reported_sale_id ?? author) === author)));
      const { imported_at: importedAt, imported_refund_cents: before } = sale;
      const payment = payments.get(sale.id);
      const stated = byProvider.get(sale.id) ?? before ?? 0;
      if (importedAt !== null && payment !== undefined) {
        const early = <Each extends { at: string }>(all: Each[]) =>
          all.filter(({ at }) => Date.parse(at) <= Date.parse(importedAt));
        const told = returnedBy({ ...payment, refunds: early(payment.refunds), disputes: early(payment.disputes) });
        if (before! < Math.min(told, sale.charge_amount_cents) || before! > sale.refund_amount_cents)
          yield `sale ${sale.id} was imported with refunds of ${before}, but ${told} were told from before`;
      }
      const expected = Math.min(Math.max(stated, ...totals), sale.charge_amount_cents);
      const different = Math.min(total(refunds.filter(({ repeated }) => !repeated)), sale.charge_amount_cents);
      const doubtful = stated >= Math.max(0, ...totals) ? 0 : Math.max(0, different - expected);
      if ((sale.uncounted_refund_cents ?? 0) !== doubtful)
        yield `sale ${sale.id} has refunds of ${sale.uncounted_refund_cents} in doubt instead of ${doubtful}`;
      if (sale.refund_amount_cents !== expected)
        yield `sale ${sale.id} has refunds of ${sale.refund_amount_cents}, but ${expected} were reported`;
      if (sale.tax_amount_cents > sale.charge_amount_cents) yield `sale ${sale.id} has more tax than charge`;
    }
  }

  *#disputes(): Generator<string> {
    for (const { sale_id, disputes } of this.#rows.payments) {
      const sale = this.#sales.get(sale_id)!;
      const isOpen = disputes.some(({ outcome }) => outcome === 'open');
      if (sale.disputed !== isOpen) yield `sale ${sale.id} is ${sale.disputed ? '' : 'not '}disputed, unlike its payment`;
    }
    for (const { account_id, charge, currency, livemode } of this.#rows.charges) {
      const sale = this.#saleNaming.get(`${account_id} ${charge}`);
      if (sale !== undefined && (sale.currency !== currency || sale.livemode !== livemode))
        yield `sale ${sale.id} has another currency or mode than its payment`;
    }
  }

  /** A commission has the terms that its campaign had when the sale was charged. */
  *#terms(): Generator<string> {
    for (const [commission, sale] of this.#current()) {
      if (commission.lines_currency !== null) {
        if (commission.lines_currency !== sale.currency)
          yield `commission ${commission.id} has lines in another currency than its sale`;
        continue;
      }
      const terms = this.#history.termsFor(commission, sale);
      const currency = terms.commission_basis_points === null ? terms.commission_amount_currency : sale.currency;
      if (commission.basis_points !== terms.commission_basis_points)
        yield `commission ${commission.id} has a rate of ${commission.basis_points}, but its campaign paid ${terms.commission_basis_points}`;
      else if (commission.basis_points === null && commission.amount_cents !== terms.commission_amount_cents)
        yield `commission ${commission.id} is ${commission.amount_cents}, but its campaign paid ${terms.commission_amount_cents}`;
      if (commission.currency !== currency)
        yield `commission ${commission.id} is in ${commission.currency} instead of ${currency}`;
    }
  }

  /** A commission that facts can still change belongs to the earner of its sale, who could earn when the sale was charged. */
  *#earners(): Generator<string> {
    const current = this.#current();
    for (const [saleId, of] of Map.groupBy(current, ([, sale]) => sale.id))
      if (of.length > 1) yield `sale ${saleId} has ${of.length} commissions`;
    for (const [commission, sale] of current) {
      const { id } = commission;
      if (commission.livemode !== (sale.livemode ?? true)) yield `commission ${id} is in another mode than its sale`;
      if (this.#isSettled(commission)) continue;
      if (commission.affiliate_id !== sale.affiliate_id || commission.referral_id !== sale.referral_id)
        yield `commission ${id} and its sale have different earners`;
      const isRefused = sale.no_commission_reason !== null && sale.no_commission_reason !== 'nothing_to_earn';
      if (isRefused) yield `commission ${id} exists, although its sale was refused: ${sale.no_commission_reason}`;
      // A person has decided otherwise.
      const isAssigned = sale.assigned_referral_id !== null;
      if (!isAssigned && (sale.excluded || sale.paid_outside === 'excluded')) yield `commission ${id} is of an excluded sale`;
      const obstacle = this.#history.obstacle(commission, sale);
      if (obstacle !== null) yield `commission ${id} exists, although ${obstacle} at the charge`;
    }
  }

  /** An affiliate's credit for a sale or by hand equals the earnings: refunds and voiding reduced it, clawbacks included. */
  *#credits(): Generator<string> {
    const lines = sums(
      this.#rows.lines.map(({ commission_id, cents }) => ({ commission_id, amount_cents: cents })),
      ({ commission_id }) => commission_id,
    );
    for (const { commission_id: id, pay, cents, at_most_cents: most } of this.#rows.lines) {
      if (most !== null && cents > most) yield `a line of commission ${id} pays ${cents}, more than its cap ${most}`;
      if (pay.kind === 'percent' && cents < 0) yield `a line of commission ${id} pays less than nothing`;
    }
    const ofSales = this.#rows.commissions.filter(({ sale_id }) => sale_id !== null);
    const groups = Map.groupBy(ofSales, ({ sale_id, affiliate_id, currency }) => `${sale_id} ${affiliate_id} ${currency}`);
    for (const [key, group] of groups) {
      const sale = this.#sales.get(group[0]!.sale_id!)!;
      // By voiding an adjustment, a person chose another total.
      if (this.#hasVoidedAdjustment(sale.id)) continue;
      let expected = 0;
      for (const commission of group) {
        if (!['sale', 'bonus', 'imported'].includes(commission.kind) || commission.superseded) continue;
        if (commission.state === 'voided' && !commission.voided_by_refund) continue;
        if (commission.imported_cents !== null) {
          expected += shareLeft(commission.imported_cents, sale);
          continue;
        }
        const amount = amountOfSale(sale);
        if (commission.lines_currency !== null) expected += lines.get(commission.id) ?? 0;
        else if (commission.basis_points !== null) expected += percentOf(amount, commission.basis_points);
        else expected += amount === 0 ? 0 : commission.amount_cents;
      }
      const credited = total(group.filter((each) => this.#isCredited(each)));
      if (credited !== expected)
        yield `for the sale, affiliate and currency ${key}, ${credited} are credited instead of ${expected}`;
    }
    const adjustmentsOf = Map.groupBy(this.#rows.commissions, ({ adjusts_commission_id: id }) => id);
    const withoutSale = ['manual', 'lead', 'milestone', 'imported'];
    for (const manual of this.#rows.commissions.filter(({ kind, sale_id }) => sale_id === null && withoutSale.includes(kind))) {
      const adjustments = adjustmentsOf.get(manual.id) ?? [];
      if (adjustments.some(({ state }) => state === 'voided')) continue;
      const credited = total([manual, ...adjustments].filter((each) => this.#isCredited(each)));
      const expected = manual.state === 'voided' ? 0 : manual.amount_cents;
      if (credited !== expected)
        yield `for ${manual.kind} commission ${manual.id}, ${credited} are credited instead of ${expected}`;
    }
  }

  /** A bonus that facts can still change stands, is flagged and falls due like the commission of its sale. */
  *#bonuses(): Generator<string> {
    const standing = this.#rows.commissions.filter(({ superseded, state }) => !superseded && state !== 'voided');
    // If the lines that the commission paid for were refunded, the bonus stands for the other lines.
    const ofSales = new Map(
      this.#rows.commissions.flatMap((each) => {
        const isHeld = each.kind === 'sale' && !each.superseded && (each.state !== 'voided' || each.voided_by_refund);
        return isHeld ? [[`${each.sale_id} ${each.affiliate_id}`, each] as const] : [];
      }),
    );
    for (const bonus of standing.filter(({ kind }) => kind === 'bonus')) {
      if (this.#isSettled(bonus)) continue;
      const commission = ofSales.get(`${bonus.sale_id} ${bonus.affiliate_id}`);
      if (commission === undefined) yield `bonus ${bonus.id} stands, but not the commission of its sale`;
      else if (this.#isSettled(commission) || commission.state === 'voided' || isReviewed(bonus)) continue;
      else if (commission.review_status !== bonus.review_status || commission.review_reason !== bonus.review_reason)
        yield `bonus ${bonus.id} and the commission of its sale have different flags`;
      // A person may set the due date of the bonus alone.
      else if (!bonus.due_by_hand && Date.parse(commission.due_at) !== Date.parse(bonus.due_at))
        yield `bonus ${bonus.id} and the commission of its sale fall due at different times`;
    }
  }

  /** The sales of a person share a cap per referral, also through several referrals of one affiliate. What was paid may exceed it. */
  *#caps(): Generator<string> {
    const caps = new Map(this.#rows.caps.map((cap) => [cap.rule_id, cap]));
    const used = this.#rows.lines.flatMap(({ commission_id, rule_id, cents }) => {
      const [cap, commission] = [caps.get(rule_id ?? ''), this.#commissions.get(commission_id)!];
      if (cap === undefined || commission.superseded || commission.currency !== cap.currency) return [];
      if (commission.state === 'voided' && !commission.voided_by_refund) return [];
      const { charged_at, customer_id } = this.#sales.get(commission.sale_id!)!;
      const window = { ever: 0, year: 4, month: 7 }[cap.window];
      const owner = cap.per === 'affiliate' ? '' : (customer_id ?? commission.referral_id);
      const key = [rule_id, commission.affiliate_id, owner, commission.livemode, charged_at.slice(0, window)].join(' ');
      return [{ key, cap, commission, amount_cents: cents }];
    });
    for (const [key, group] of Map.groupBy(used, (each) => each.key)) {
      const most = group[0]!.cap.amount_cents;
      if (total(group) > most && !group.some(({ commission }) => this.#isSettled(commission)))
        yield `sales have used ${total(group)} of a cap of ${most}: ${key}`;
    }
  }

  /** A referral has no more commissions than its campaign allows. Payments and people may exceed the limit, so referrals with either are left out. */
  *#limits(): Generator<string> {
    // A sale of which nothing is left takes no place, nor does a commission of nothing, which explains a bonus. Its commission is not voided if it was
    // paid when the refund came, and returned later.
    const current = this.#current().filter(([{ amount_cents }, sale]) => amount_cents !== 0 && amountOfSale(sale) > 0);
    for (const [key, group] of Map.groupBy(current, ([{ referral_id, livemode }]) => `${referral_id} ${livemode}`)) {
      const limits = new Set(group.map(([, sale]) => sale.limits?.maxCommissions ?? null));
      const [limit = null] = limits;
      const isFree = group.some(
        ([commission, sale]) =>
          this.#isSettled(commission) ||
          sale.contested !== null ||
          sale.assigned_referral_id !== null ||
          sale.reconsidered_at !== null,
      );
      if (limits.size > 1 || limit === null || isFree) continue;
      if (group.length > limit) yield `referral and mode ${key} have ${group.length} commissions, of which ${limit} are allowed`;
    }
  }

  /** Doubtful money is in no payout that could still be paid. */
  *#flags(): Generator<string> {
    for (const commission of this.#rows.commissions) {
      const { id, state, review_status: status, review_reason: reason } = commission;
      const payout = this.#payoutOf.get(id);
      const isUnpaid = state === 'pending' || state === 'due';
      if (status === 'suspicious' && (payout?.status === 'open' || (payout?.status === 'processing' && reason !== 'dispute')))
        yield `commission ${id} is flagged, but in ${payout.status} payout ${payout.id}`;
      const sale = this.#sales.get(commission.sale_id ?? '');
      if (sale === undefined || !isUnpaid || commission.superseded) continue;
      const isOwn = commission.affiliate_id === sale.affiliate_id;
      if (
        sale.disputed &&
        isOwn &&
        commission.amount_cents > 0 &&
        !(status === 'suspicious' || (status === 'approved' && reason === 'dispute'))
      )
        yield `commission ${id} is not held, although its sale is disputed`;
      if (!sale.disputed && reason === 'dispute' && status === 'suspicious')
        yield `commission ${id} is held by a dispute that has ended`;
      const mayBeHeld = commission.kind === 'sale' && !this.#isSettled(commission);
      if (mayBeHeld && status === null && this.#history.isSuspected(commission, sale))
        yield `commission ${id} is not flagged, although its affiliate was suspicious at the charge`;
    }
  }

  /** A payout is the sum of its commissions, which are of the same affiliate, currency and mode. */
  *#payoutAmounts(): Generator<string> {
    const held = Map.groupBy(this.#rows.items, ({ payout_id }) => payout_id);
    const returned = Map.groupBy(this.#rows.returnedItems, ({ payout_id }) => payout_id);
    for (const payout of this.#rows.payouts) {
      const items = held.get(payout.id) ?? [];
      const commissions = items.map(({ commission_id }) => this.#commissions.get(commission_id)!);
      const amounts = payout.status === 'returned' ? (returned.get(payout.id) ?? []) : commissions;
      if (payout.status === 'returned' && items.length > 0) yield `payout ${payout.id} was returned, but holds commissions`;
      if (total(amounts) !== payout.amount_cents)
        yield `payout ${payout.id} is ${payout.amount_cents}, but its commissions are ${total(amounts)}`;
      if (amounts.length !== payout.commissions_count)
        yield `payout ${payout.id} does not have ${payout.commissions_count} commissions`;
      const stranger = commissions.find((each) => accountKey(each) !== accountKey(payout));
      if (stranger) yield `payout ${payout.id} holds commission ${stranger.id} of another affiliate, currency or mode`;
    }
    const open = this.#rows.payouts.filter(({ status }) => status === 'open');
    for (const [key, group] of Map.groupBy(open, accountKey))
      if (group.length > 1) yield `${key} has ${group.length} open payouts`;
  }

  /** Each payout is paid by one export, one run or by hand, with all of its commissions, and a commission only with its payout or by hand. */
  *#payments(): Generator<string> {
    const claims = Map.groupBy(this.#rows.claims, ({ payout_id }) => payout_id);
    for (const payout of this.#rows.payouts) {
      const isPaid = payout.status === 'paid' || payout.status === 'returned';
      const paying = (claims.get(payout.id) ?? []).filter(({ state }) => state === 'paid' || state === 'returned');
      if (paying.length > 1) yield `payout ${payout.id} was paid ${paying.length} times`;
      if (paying.length > 0 && !isPaid)
        yield `payout ${payout.id} is ${payout.status}, but an export or run says that it is paid`;
      for (const { amount_cents } of paying)
        if (amount_cents !== payout.amount_cents)
          yield `payout ${payout.id} was paid as ${amount_cents} instead of ${payout.amount_cents}`;
    }
    const adjustmentsOf = Map.groupBy(this.#rows.commissions, ({ adjusts_commission_id: id }) => id);
    for (const commission of this.#rows.commissions) {
      const payout = this.#payoutOf.get(commission.id);
      const { id, state } = commission;
      if (payout?.status === 'paid' && state !== 'paid' && state !== 'voided')
        yield `commission ${id} is ${state}, but its payout ${payout.id} is paid`;
      if (payout !== undefined && payout.status !== 'paid' && state === 'paid')
        yield `commission ${id} is paid, but its payout ${payout.id} is ${payout.status}`;
      if (payout === undefined && state === 'due' && commission.review_status !== 'suspicious')
        yield `commission ${id} is due, but in no payout`;
      if (payout !== undefined && state === 'pending') yield `commission ${id} is pending, but in payout ${payout.id}`;
      // A commission that was voided in a claimed or paid payout stays in it after the release or the return, with the adjustment that took its amount
      // back. The reversal of an adjustment without a sale names the commission that both adjust.
      const isReversed = (adjustmentsOf.get(commission.adjusts_commission_id ?? '') ?? []).some(
        (other) => other.id !== id && other.amount_cents === -commission.amount_cents,
      );
      if (payout?.status === 'open' && state === 'voided' && !adjustmentsOf.has(id) && !isReversed)
        yield `commission ${id} is voided, but in open payout ${payout.id}`;
    }
  }

  /** Everything that an affiliate was credited was paid, or is still owed. */
  *#balances(): Generator<string> {
    const credited = sums(
      this.#rows.commissions.filter((each) => this.#isCredited(each)),
      accountKey,
    );
    const inPayouts = this.#rows.payouts.filter(({ status }) => status !== 'returned');
    const outside = this.#rows.commissions.filter((each) => this.#isCredited(each) && !this.#payoutOf.has(each.id));
    const settled = sums([...inPayouts, ...outside], accountKey);
    for (const key of new Set([...credited.keys(), ...settled.keys()])) {
      const [owed, found] = [credited.get(key) ?? 0, settled.get(key) ?? 0];
      if (owed !== found) yield `${key} was credited ${owed}, but ${found} were paid or are owed`;
    }
  }

  /** Programs that only read events know of every commission and payment once. */
  *#announcements(): Generator<string> {
    const events = Map.groupBy(this.#rows.events, ({ type, subject_id }) => `${type} ${subject_id}`);
    const timesOf = (type: string, id: string) => events.get(`${type} ${id}`)?.length ?? 0;
    const expect = function* (type: string, id: string, expected: boolean): Generator<string> {
      const times = timesOf(type, id);
      if (times !== Number(expected)) yield `${type} was announced ${times} times for ${id}`;
    };
    // An import tells nothing of what it brings.
    for (const { id, state, kind } of this.#rows.commissions) {
      if (kind === 'imported') continue;
      yield* expect('commission.created', id, true);
      yield* expect('commission.voided', id, state === 'voided');
    }
    const elsewhere = new Set(this.#rows.paidElsewhere.map(({ payout_id }) => payout_id));
    for (const { id, status, amount_cents } of this.#rows.payouts) {
      if (elsewhere.has(id)) continue;
      yield* expect('payout.paid', id, status === 'paid' || status === 'returned');
      yield* expect('payout.returned', id, status === 'returned');
      for (const announced of events.get(`payout.paid ${id}`) ?? [])
        if (announced.amount_cents !== amount_cents)
          yield `payout ${id} is ${amount_cents}, but was announced as ${announced.amount_cents}`;
    }
  }

  /** The commissions that sales have now, with their sales. */
  #current(): [CommissionRow, SaleRow][] {
    return this.#rows.commissions.flatMap((commission): [CommissionRow, SaleRow][] => {
      const isCurrent = commission.kind === 'sale' && !commission.superseded && commission.state !== 'voided';
      return isCurrent ? [[commission, this.#sales.get(commission.sale_id!)!]] : [];
    });
  }

  /** True if the commission was paid, or an export or a run holds it, so that late facts leave it as it is. */
  #isSettled({ id, state, paid_at }: CommissionRow): boolean {
    return state === 'paid' || paid_at !== null || this.#payoutOf.get(id)?.status === 'processing';
  }

  /** A voided commission counts only if it was claimed or paid before: an adjustment took its amount back. */
  #isCredited({ id, state, paid_at }: CommissionRow): boolean {
    return state !== 'voided' || paid_at !== null || this.#payoutOf.has(id);
  }

  #voidedAdjustments: Set<string> | undefined;
  #hasVoidedAdjustment(saleId: string): boolean {
    this.#voidedAdjustments ??= new Set(
      this.#rows.commissions.flatMap(({ kind, state, sale_id }) =>
        kind === 'adjustment' && state === 'voided' && sale_id !== null ? [sale_id] : [],
      ),
    );
    return this.#voidedAdjustments.has(saleId);
  }
}

/** Names the account in which money of a commission or a payout is kept. */
function accountKey({ affiliate_id, currency, livemode }: Pick<PayoutRow, 'affiliate_id' | 'currency' | 'livemode'>): string {
  return `affiliate ${affiliate_id} in ${currency} (${livemode ? 'live' : 'test'})`;
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function total(rows: readonly { amount_cents: number }[]): number {
  return rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

function sums<Row extends { amount_cents: number }>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, number> {
  return new Map([...Map.groupBy(rows, keyOf)].map(([key, group]) => [key, total(group)]));
}
