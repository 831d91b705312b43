import type { Fields } from '../../support/http.ts';
import { sell } from '../../support/program.ts';
import type { Made, Stage } from '../../support/rail-double.ts';
import { answered } from '../../support/rest.ts';
import { discrepancies, type Payee } from '../program.ts';
import type { RailMerchant, RailService } from './merchant.ts';

/** Stages at which a receiver has the money, or may still get it. */
const IS_LIVE = new Set<Stage>(['pending', 'unclaimed', 'arrived']);

const OPEN_OR_PAID = new Set(['pending', 'due', 'processing', 'paid']);
const IS_OVER = new Set(['failed', 'withdrawn', 'returned']);

/** Compares the earnings of affiliates with the payments of the rail, and with what the service says of both. */
export class Watch {
  readonly payees: Payee[] = [];
  readonly earned = new Map<string, number>();
  /** Parts of it that were voided after their payment was sent, so that the next payout takes them back. */
  readonly voided = new Map<string, number>();
  readonly #at: RailService;
  readonly #merchant: RailMerchant;

  constructor(at: RailService, merchant: RailMerchant) {
    this.#at = at;
    this.#merchant = merchant;
  }

  /** Adds an affiliate who has earned 10.00. */
  async add(name: string): Promise<Payee> {
    const made = await this.#merchant.payee(name, { person: { first_name: name, last_name: 'King' } });
    this.payees.push(made);
    this.earned.set(made.program.affiliate.id, 1_000);
    return made;
  }

  /** Lets an affiliate earn another 10.00. */
  async sell(payee: Payee): Promise<void> {
    this.#at.service.clock.advance(1, 'seconds');
    await sell(this.#merchant.account, { referral_id: payee.referral_id, amount_cents: 10_000, currency: 'USD' });
    const { id } = payee.program.affiliate;
    this.earned.set(id, this.earned.get(id)! + 1_000);
  }

  async attempts(): Promise<Fields[]> {
    return (await this.#merchant.account.api.get<{ data: Fields[] }>('/payout_attempts', { limit: 100 })).body.data;
  }

  /** Payments that the rail has looked at. */
  processed(): Made[] {
    return this.#merchant.app.made.filter(({ stage, isNew }) => !isNew && stage !== 'unheard of');
  }

  /** A person looks at the rail, where everything has arrived that was on its way, and says what is there. */
  async decide(): Promise<void> {
    this.#merchant.app.arrive();
    for (const { id, state, reason } of await this.attempts()) {
      if (state !== 'unknown' || reason !== 'key_expired') continue;
      const made = this.#merchant.app.made.find(({ key }) => key === id);
      // A payment that is neither there nor back is waited for.
      if (made && made.stage !== 'arrived' && IS_LIVE.has(made.stage)) continue;
      const outcome = made?.stage === 'arrived' ? 'arrived' : 'failed';
      const seen = made && { provider_item_id: made.id };
      const { status } = await this.#merchant.attemptTo('decide', id, { outcome, reason: 'As the rail shows it.', ...seen });
      // The rail may have been asked meanwhile.
      if (status !== 200 && status !== 422) throw new Error(`To decide answered ${status}.`);
    }
  }

  async resume(): Promise<void> {
    answered(200, await this.#merchant.settings('POST', `payout_rails/${this.#merchant.railId}/resume`));
  }

  /** Ends all trouble at the rail: what was made arrives, and a person decides what nobody else can. */
  async calm(): Promise<void> {
    const { app } = this.#merchant;
    app.fates = [];
    await this.resume();
    await this.decide();
    this.#at.rail.endTrouble?.(app);
    app.process();
    for (const { key, stage } of this.processed()) if (IS_LIVE.has(stage)) app.turn(key, 'arrived');
  }

  /** Throws if anybody has got, or may still get, more than was earned, if the rail has made a payment of one key twice, or one that nobody has prepared. */
  async assertNoneTwice(story: string): Promise<void> {
    const receivers = new Map((await this.attempts()).map(({ id, affiliate_id }) => [String(id), String(affiliate_id)]));
    for (const [id, earned] of this.earned)
      if (this.#paid(receivers, id, IS_LIVE) > earned) throw new Error(`${id} is paid twice after: ${story}`);
    const keys = this.#merchant.app.made.map(({ key }) => key);
    if (new Set(keys).size !== keys.length) throw new Error(`A key was taken twice after: ${story}`);
    const strangers = keys.filter((key) => !receivers.has(key));
    if (strangers.length > 0) throw new Error(`${strangers.join(', ')} are payments that nobody has prepared.`);
  }

  /** Throws unless open, claimed and paid payouts are what was earned, and at most one attempt of each payout is unfinished or has arrived. */
  async assertSums(story: string): Promise<void> {
    const { data: payouts } = (await this.#merchant.account.api.get<{ data: Fields[] }>('/payouts', { limit: 100 })).body;
    for (const [id, earned] of Object.entries(this.#owed())) {
      const sum = payouts
        .filter(({ affiliate_id, state }) => affiliate_id === id && OPEN_OR_PAID.has(String(state)))
        .reduce((total, { amount_cents }) => total + Number(amount_cents), 0);
      if (sum !== earned) throw new Error(`${id} has earned ${earned}, and has payouts of ${sum} after: ${story}`);
    }
    const live = (await this.attempts()).flatMap(({ payout_id, state }) => (IS_OVER.has(String(state)) ? [] : [payout_id]));
    if (new Set(live).size !== live.length) throw new Error(`A payout has two live attempts after: ${story}`);
  }

  /** Compares the rail with the service, and both with what was earned, to the cent, and the books with themselves. */
  async compare() {
    return { ...(await this.compareRail()), discrepancies: await discrepancies(this.#merchant.account) };
  }

  async compareRail() {
    const attempts = await this.attempts();
    const states = new Map(attempts.map(({ id, state }) => [id, state]));
    const contradictions = this.#merchant.app.made.filter(({ key, stage }) => {
      const state = states.get(key);
      return stage === 'arrived' ? state !== 'arrived' : !IS_OVER.has(String(state));
    });
    const receivers = new Map(attempts.map(({ id, affiliate_id }) => [String(id), String(affiliate_id)]));
    const paid = Object.fromEntries(
      [...this.earned.keys()].map((id) => {
        const arrived = attempts.filter(({ affiliate_id, state }) => affiliate_id === id && state === 'arrived');
        const fees = arrived.reduce((sum, { affiliate_fee_cents }) => sum + Number(affiliate_fee_cents), 0);
        return [id, this.#paid(receivers, id, new Set<Stage>(['arrived'])) + fees];
      }),
    );
    return { contradictions, paid, earned: this.#owed() };
  }

  #owed(): Record<string, number> {
    return Object.fromEntries([...this.earned].map(([id, cents]) => [id, cents - (this.voided.get(id) ?? 0)]));
  }

  #paid(receivers: ReadonlyMap<string, string>, id: string, stages: ReadonlySet<Stage>): number {
    const made = this.#merchant.app.made.filter(({ key, stage }) => receivers.get(key) === id && stages.has(stage));
    return made.reduce((sum, { cents }) => sum + cents, 0);
  }
}
