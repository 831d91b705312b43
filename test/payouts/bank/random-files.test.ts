/**
 * Random operations on bank files against a double of a bank: files that are uploaded or deleted, payments that are rejected, booked and returned,
 * reports that come late, twice, in parts, at once and in any order, connections to the database that break meanwhile, persons who mark exports as
 * paid, and accounts that change. The bank pays each payout once, and every cent is where the books say.
 *
 * BANK_OPERATIONS=20000 tries that many operations, THOROUGH=on 2,000.
 */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { sell } from '../../support/program.ts';
import { Random } from '../../support/random.ts';
import { answered } from '../../support/rest.ts';
import { SEED } from '../../support/seed.ts';
import { useService } from '../../support/suite.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { discrepancies, type Payee } from '../program.ts';
import { BankMerchant, IBANS } from './merchant.ts';
import { entry, inFile, notification, statement, statusOf, type Told, wholeEntry } from './reports.ts';

const OPERATIONS = Number(process.env['BANK_OPERATIONS'] ?? (THOROUGH ? 2_000 : 150));
const OF_STORY = 50;

const service = useService({ writesRows: true });

type State = 'waiting' | 'rejected' | 'booked' | 'returned';
interface BankPayment extends Told {
  payoutId: string;
  state: State;
}

/** A bank that takes each file once, and treats each payment on its own. */
class Bank {
  readonly files = new Map<string, BankPayment[]>();

  take(content: string): void {
    const [, file] = /<MsgId>([^<]+)</.exec(content)!;
    if (this.files.has(file!)) return;
    const payments = content.matchAll(
      /<EndToEndId>([^<]+)<.*?<InstdAmt Ccy="EUR">(\d+)\.(\d\d)<.*?<Ustrd>[^<]* payout-([^<]+)</g,
    );
    this.files.set(
      file!,
      [...payments].map(([, id, whole, part, payout]) => ({
        id: id!,
        cents: Number(`${whole}${part}`),
        payoutId: `payout_${payout}`,
        state: 'waiting',
      })),
    );
  }

  payments(): BankPayment[] {
    return [...this.files.values()].flat();
  }

  /** Returns the cents that have left the account for a payout and not come back. */
  paidFor(payoutId: string): number {
    const sent = this.payments().filter((payment) => payment.payoutId === payoutId && payment.state === 'booked');
    return sent.reduce((sum, { cents }) => sum + cents, 0);
  }
}

class Story {
  readonly #bank = new Bank();
  readonly #payees: Payee[] = [];
  readonly #earned = new Map<string, number>();
  readonly #exports: string[] = [];
  readonly #random: Random;
  readonly #merchant: BankMerchant;

  constructor(random: Random, merchant: BankMerchant) {
    this.#random = random;
    this.#merchant = merchant;
  }

  async begin(): Promise<void> {
    answered(201, await this.#merchant.connect());
    for (const [at, iban] of Object.values(IBANS).slice(1).entries()) {
      const payee = await this.#merchant.payee({ account_holder: `Payee ${at}`, iban });
      this.#payees.push(payee);
      this.#earned.set(payee.program.affiliate.id, payee.payout.amount_cents);
    }
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items)!;
  }

  async operate(): Promise<void> {
    const operations = [
      () => this.#sell(),
      () => this.#export(),
      () => this.#export(),
      () => this.#upload(),
      () => this.#upload(),
      () => this.#goOn(),
      () => this.#goOn(),
      () => this.#report(),
      () => this.#report(),
      () => this.#report(),
      () => this.#reportAtOnce(),
      () => this.#reportAndBreak(),
      () => this.#markPaid(),
      () => this.#delete(),
      () => this.#move(),
      async () => service.clock.advance(4, 'days'),
    ];
    await this.#pick(operations)();
    service.clock.advance(1, 'seconds');
  }

  async #sell(): Promise<void> {
    const { program, referral_id } = this.#pick(this.#payees);
    const amount_cents = this.#random.int(1, 500) * 100;
    await sell(this.#merchant.account, { referral_id, amount_cents, currency: 'EUR' });
    const { id } = program.affiliate;
    this.#earned.set(id, this.#earned.get(id)! + amount_cents / 10);
  }

  async #export(): Promise<void> {
    const { status, body } = await this.#merchant.account.api.post('/payout_exports', {
      export_format: 'bank_sepa',
      leave_out_unpayable: true,
    });
    if (status === 201) this.#exports.push(String(body['id']));
    else if (status !== 422) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  }

  async #upload(): Promise<void> {
    const id = this.#pick(this.#exports.length > 0 ? this.#exports : ['']);
    if (id === '' || (await this.#stateOf(id)) !== 'processing') return;
    this.#bank.take((await this.#merchant.fileOf(id)).content);
  }

  async #goOn(): Promise<void> {
    for (const payment of this.#bank.payments()) {
      if (payment.state === 'waiting') payment.state = this.#pick<State>(['waiting', 'rejected', 'booked', 'booked', 'booked']);
      else if (payment.state === 'booked' && this.#random.int(1, 8) === 1) payment.state = 'returned';
    }
  }

  /** Returns something that the bank says about a file, and the export. */
  #told(): { id: string; report: string } | null {
    const file = this.#pick([...this.#bank.files.keys(), '']);
    if (file === '') return null;
    const payments = this.#bank.files.get(file)!;
    const some = (states: readonly State[]) =>
      payments.filter(({ state }) => states.includes(state) && this.#random.int(1, 3) > 1);
    const left = payments.filter(({ state }) => state === 'booked' || state === 'returned');
    const isDone = payments.every(({ state }) => state !== 'waiting');
    const report = this.#pick([
      () => statusOf(file, {}, some(['rejected'])),
      () => statement(entry(some(['booked', 'returned']))),
      () => notification(entry(some(['returned']), 'CRDT'), entry(some(['booked', 'returned']))),
      () => notification(entry(some(['returned']), 'CRDT')),
      () =>
        isDone && left.length > 0
          ? statement(wholeEntry(file, { cents: left.reduce((sum, { cents }) => sum + cents, 0), count: left.length }))
          : statusOf(file, { state: 'ACCP' }),
    ])();
    return { id: file.replace('-', '_'), report };
  }

  #send({ id, report }: { id: string; report: string }) {
    return this.#merchant.account.api.post(`/payout_exports/${id}/report`, { bank_report: report });
  }

  async #report(): Promise<void> {
    const told = this.#told();
    if (told) answered(200, await this.#send(told));
  }

  async #reportAtOnce(): Promise<void> {
    const told = [this.#told(), this.#told()].filter((each) => each !== null);
    const replies = await Promise.all([...told, ...told].map((each) => this.#send(each)));
    for (const reply of replies) answered(200, reply);
  }

  /** Breaks the connections that are in a transaction while a report is applied. The report may be applied in part, or not at all. */
  async #reportAndBreak(): Promise<void> {
    const told = this.#told();
    if (!told) return;
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const sent = this.#send(told);
    await new Promise((resolve) => setTimeout(resolve, this.#random.int(0, 30)));
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
    await client.end();
    await sent;
  }

  /** A person marks an export as paid who sees at the bank what was rejected. */
  async #markPaid(): Promise<void> {
    const file = this.#pick([...this.#bank.files.keys(), '']);
    const payments = this.#bank.files.get(file) ?? [];
    if (payments.length === 0 || payments.some(({ state }) => state === 'waiting')) return;
    const open = await Promise.all(payments.map(async (payment) => ({ payment, isOpen: await this.#isClaimed(payment) })));
    const refused = open
      .filter(({ payment, isOpen }) => isOpen && payment.state === 'rejected')
      .map(({ payment: { payoutId } }) => ({ payout_id: payoutId, reason: 'Rejected' }));
    const { status } = await this.#merchant.account.api.post(`/payout_exports/${file.replace('-', '_')}/payment`, {
      already_sent: true,
      refused,
    });
    if (status !== 200 && status !== 422) throw new Error(`Answered ${status}`);
  }

  async #isClaimed({ id }: BankPayment): Promise<boolean> {
    const { body } = await this.#merchant.account.api.get(`/payout_attempts/${id.replace('-', '_')}`);
    return body['state'] === 'prepared';
  }

  /** Deletes an export whose file the bank has not got. */
  async #delete(): Promise<void> {
    const ids = this.#exports.filter((id) => !this.#bank.files.has(inFile(id)));
    if (ids.length > 0) await this.#merchant.account.api.delete(`/payout_exports/${this.#pick(ids)}`);
  }

  /** An affiliate's account changes, which holds the next payouts. */
  async #move(): Promise<void> {
    const { program } = this.#pick(this.#payees);
    const { api } = this.#merchant.account;
    const { body } = await api.get<{ data: Fields[] }>('/payout_methods', { affiliate_id: program.affiliate.id });
    const address = { account_holder: 'Moved', iban: this.#pick(Object.values(IBANS)) };
    answered(200, await api.patch(`/payout_methods/${String(body.data[0]!['id'])}`, { address }));
  }

  async #stateOf(id: string): Promise<unknown> {
    return (await this.#merchant.account.api.get(`/payout_exports/${id}`)).body['state'];
  }

  /** Lets the bank end everything and tell all of it. Returns the differences between its books and those of the service. */
  async end(): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const [file, payments] of this.#bank.files) {
      for (const payment of payments) if (payment.state === 'waiting') payment.state = 'booked';
      const of = (...states: State[]) => payments.filter(({ state }) => states.includes(state));
      const id = file.replace('-', '_');
      for (const report of [
        statement(entry(of('booked', 'returned')), entry(of('returned'), 'CRDT')),
        statusOf(file, {}, of('rejected')),
      ])
        answered(200, await this.#send({ id, report }));
    }
    const { api } = this.#merchant.account;
    for (const { program } of this.#payees) {
      const { id } = program.affiliate;
      const { body } = await api.get<{ data: Fields[] }>('/payouts', { affiliate_id: id, limit: 100 });
      const kept = body.data.filter(({ state }) => state !== 'returned');
      const owed = kept.reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0);
      if (owed !== this.#earned.get(id)) found.push({ affiliate: id, owed, earned: this.#earned.get(id) });
      for (const { id: payoutId, state, amount_cents } of body.data)
        if (this.#bank.paidFor(String(payoutId)) !== (state === 'paid' ? amount_cents : 0))
          found.push({ payoutId, state, amount_cents });
    }
    return [...found, ...(await discrepancies(this.#merchant.account))];
  }
}

it.each(Array.from({ length: Math.ceil(OPERATIONS / OF_STORY) }, (_, story) => story))(
  'the bank and the books agree to the cent after 50 random operations (story %i)',
  { timeout: 120_000 },
  async (story) => {
    const merchant = new BankMerchant(await service.createAccount());
    const told = new Story(new Random(SEED + story), merchant);
    await told.begin();
    for (let done = 0; done < OF_STORY; done += 1) await told.operate();
    expect(await told.end()).toEqual([]);
  },
);
