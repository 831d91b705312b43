/** The bearer of the fees of payments (docs/rules/payouts.md#fees). */
import { advancePayoutAttempts } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { PortalVisitor } from '../portal/people.ts';
import type { Fields } from '../support/http.ts';
import { ownerOf } from '../support/people.ts';
import { unique } from '../support/program.ts';
import { answered } from '../support/rest.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { BankMerchant, IBANS } from './bank/merchant.ts';
import { entry, inFile, statement } from './bank/reports.ts';
import { discrepancies, payee, type Payee } from './program.ts';
import { ToyRail } from './toy_method/toy-method.ts';

const service = useService();
const account = useAccount(service, 'file');
let rail: ToyRail;

beforeEach(() => {
  rail = new ToyRail();
  service.services.payoutMethods = [...METHODS, rail.method];
});
afterEach(async () => {
  await terms();
});

const terms = async (...payout_terms: Fields[]) => {
  const { browser } = await ownerOf(service, account);
  return (await browser.mutate('account.update', { account_id: account.id, payout_terms })).status;
};
const email = () => `${unique('ada')}@partner.example`;
const payeeAt = async (amount_cents: number, currency = 'USD', person: Fields = {}) => {
  const made = await payee(account, { amount_cents, currency, person: { walleta_email: null, walletb_email: null, ...person } });
  const address = { number: '100001' };
  answered(201, await account.api.post('/payout_methods', { affiliate_id: made.program.affiliate.id, kind: 'toy', address }));
  return made;
};
const create = async (input: Fields = {}) =>
  answered(201, await account.api.post('/payout_batches', { method: 'toy', ...input }));
const act = (id: unknown, action: string) => account.api.post(`/payout_batches/${String(id)}/${action}`);
const attemptOf = async ({ payout }: Payee) =>
  (await account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data[0]!;
const advance = () => advancePayoutAttempts(service.services);
const arrive = async () => {
  rail.turn({ state: 'arrived', raw_state: 'DONE', facts: { fee_cents: 30, fee_currency: 'USD' } });
  service.clock.advance(6, 'minutes');
  await advance();
};
const paymentsIn = async (type: string, { payout }: Payee) => {
  const { data } = (await account.api.get<{ data: { data: Fields }[] }>('/events', { type, subject_id: payout.id })).body;
  return data.map((event) => event.data['payment']);
};
const booksOf = async () => (await account.client.payoutRuns.reconcile.query({})).fees.find(({ currency }) => currency === 'USD');

describe('a fee that affiliates bear', () => {
  it('as the rail quotes it is in preview, payment, portal, statement, explanation and books, and the merchant bears the difference', async () => {
    await terms({ method: 'toy', fee_bearer: 'affiliate' });
    const address = email();
    const ada = await payeeAt(10_000, 'USD', { email: address });
    const bob = await payeeAt(10_000, 'EUR');
    const visitor = await PortalVisitor.enter(service, account, address);
    const outlook = async () => (await visitor.query<Outputs['portal']['home']>('portal.home')).earnings[0]!.outlook!.in_words.en;
    expect(await outlook()).toContain('Toy number: The fee of the service is taken from each payment.');
    const before = (await booksOf()) ?? { fee_cents: 0, affiliate_fee_cents: 0 };

    const preview = await create({ dry_run: true });
    expect(preview).toMatchObject({
      fees: [{ currency: 'USD', quoted_cents: 25, affiliate_cents: 25 }],
      totals: [
        { currency: 'EUR', amount_cents: 1_000 },
        { currency: 'USD', amount_cents: 1_000 },
      ],
      funds: [{ needed_cents: 1_000 }, { needed_cents: 1_000 }],
    });
    const { id, items_hash } = await create();
    // The rail has not said yet what the payment in euros costs.
    expect(await act(id, 'send')).toMatchObject({ status: 422, body: { details: [{ code: 'fees_unknown' }] } });
    await advance();
    // It cannot say, so the merchant bears that fee, and the payments are others than before.
    expect(await attemptOf(bob)).toMatchObject({ affiliate_fee_cents: 0, amount_cents: 1_000 });
    const batch = (await account.api.get(`/payout_batches/${String(id)}`)).body;
    expect(batch['items_hash']).not.toBe(items_hash);
    answered(200, await act(id, 'send'));
    await advance();
    expect(rail.calls.map(({ amount_cents }) => amount_cents).toSorted((a, b) => a - b)).toEqual([975, 1_000]);
    expect(await outlook()).toContain(
      'US$10.00 is on its way by the toy to …001. A fee of US$0.25 is taken from the payment, so that US$9.75 arrive.',
    );
    await arrive();
    expect(await attemptOf(ada)).toMatchObject({ state: 'arrived', amount_cents: 1_000, affiliate_fee_cents: 25, fee_cents: 30 });
    const paid = (await account.api.get(`/payouts/${ada.payout.id}`, { expand: 'explanation' })).body;
    expect(paid).toMatchObject({ state: 'paid', amount_cents: 1_000 });
    expect((paid['explanation'] as Fields)['text']).toContain(
      'A fee of US$0.25 is taken from the payment, so that US$9.75 arrive.',
    );
    const own = await visitor.query<Outputs['portal']['listPayouts']>('portal.listPayouts');
    expect(own.data[0]!.payment_in!.en).toContain('so that US$9.75 arrive.');
    const { download_url } = await visitor.query<Outputs['portal']['getStatement']>('portal.getStatement', { id: ada.payout.id });
    expect((await service.download(download_url)).toString()).toMatch(/payout_fee\r\n.*,0\.25\r\n$/);
    const paidEvent = { method: 'toy', fee_cents: 30, fee_currency: 'USD', affiliate_fee_cents: 25, returned_cents: null };
    expect(await paymentsIn('payout.paid', ada)).toEqual([paidEvent]);
    expect(await booksOf()).toEqual({
      currency: 'USD',
      fee_cents: before.fee_cents + 60,
      affiliate_fee_cents: before.affiliate_fee_cents + 25,
    });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('as the account sets it is shown before, kept by a retry, and given back with money that comes back', async () => {
    await terms({ method: 'toy', fee_bearer: 'affiliate', fees: [{ currency: 'USD', amount_cents: 150 }] });
    const ada = await payeeAt(10_000);
    const { id } = await create();
    await terms();
    rail.next = 'refuse';
    answered(200, await act(id, 'send'));
    await advance();
    const failed = await attemptOf(ada);
    expect(failed).toMatchObject({ state: 'failed', affiliate_fee_cents: 150 });
    answered(200, await account.api.post(`/payout_attempts/${String(failed['id'])}/retry`));
    await advance();
    expect(rail.calls.map(({ amount_cents }) => amount_cents)).toEqual([850, 850]);
    const borne = { method: 'toy', affiliate_fee_cents: 150 };
    const untold = { ...borne, fee_cents: null, fee_currency: null, returned_cents: null };
    expect(await paymentsIn('payout.failed', ada)).toEqual([untold]);
    await arrive();
    const facts = { fee_cents: 30, fee_currency: 'USD', returned_cents: 820 };
    rail.turn({ state: 'returned', raw_state: 'BACK', facts });
    service.clock.advance(1, 'days');
    await advance();
    expect(await attemptOf(ada)).toMatchObject({ state: 'returned' });
    expect(await paymentsIn('payout.returned', ada)).toEqual([{ ...borne, ...facts }]);
    await create();
    const { data } = (await account.api.get<{ data: Fields[] }>('/payout_attempts', { method: 'toy' })).body;
    expect(data[0]).toMatchObject({ amount_cents: 1_000, affiliate_fee_cents: 0 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('leaves out payouts that it would use up, and those below the minimum of the method', async () => {
    await terms({
      method: 'toy',
      fee_bearer: 'affiliate',
      fees: [{ currency: 'USD', amount_cents: 200 }],
      minimums: [{ currency: 'EUR', amount_cents: 1_001 }],
    });
    const [used, small] = [await payeeAt(2_000), await payeeAt(10_000, 'EUR')];
    const { left_out } = await create();
    expect(left_out).toMatchObject(
      [
        { payout_id: used.payout.id, code: 'fee_exceeds_amount' },
        { payout_id: small.payout.id, code: 'below_minimum' },
      ].toSorted((a, b) => (a.payout_id < b.payout_id ? -1 : 1)),
    );
  });

  it('is told where affiliates choose their method', async () => {
    await terms({
      method: 'paypal',
      fee_bearer: 'affiliate',
      fees: [{ currency: 'USD', amount_cents: 100 }],
      minimums: [{ currency: 'USD', amount_cents: 2_000 }],
    });
    const address = email();
    await payee(account, { person: { email: address, walletb_email: null } });
    const visitor = await PortalVisitor.enter(service, account, address);
    const { offered } = await visitor.query<Outputs['portal']['listPayoutMethods']>('portal.listPayoutMethods');
    expect(offered.find(({ kind }) => kind === 'paypal')).toMatchObject({
      fees: [{ currency: 'USD', amount_cents: 100 }],
      terms_in_words: { en: 'Payments start at US$20.00. A fee of US$1.00 is taken from each payment.' },
    });
    const { earnings } = await visitor.query<Outputs['portal']['home']>('portal.home');
    expect(earnings[0]!.outlook!.in_words.en).toContain('A fee of US$1.00 is taken from the payment, so that US$9.00 arrive.');
    expect(await terms({ method: 'constructor' })).toBe(422);
    expect(await terms({ method: 'paypal' }, { method: 'paypal' })).toBe(422);
  });

  it('is taken from what a file of the bank pays, and from what the bank reports', async () => {
    const bank = new BankMerchant(account);
    answered(201, await bank.connect());
    await terms({ method: 'bank_sepa', fee_bearer: 'affiliate', fees: [{ currency: 'EUR', amount_cents: 35 }] });
    const { payout } = await bank.payee({ account_holder: 'Ada King', iban: IBANS.germany });
    const { id, totals } = await bank.export({ payout_ids: [payout.id] });
    expect(totals).toMatchObject([{ amount_cents: 1_000 }]);
    expect((await bank.fileOf(id)).content).toContain('<InstdAmt Ccy="EUR">9.65</InstdAmt>');
    const told = { id: inFile((await attemptOf({ payout } as Payee))['id']), cents: 965 };
    const bank_report = statement(entry([told]));
    answered(200, await account.api.post(`/payout_exports/${id}/report`, { bank_report }));
    expect((await account.api.get(`/payouts/${payout.id}`)).body).toMatchObject({ state: 'paid', amount_cents: 1_000 });
    expect(await discrepancies(account)).toEqual([]);
  });
});
