import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { type PayoutExport, createExport, openPayout, payee, payoutOf, refusalOfExport } from './program.ts';

type ExportFile = Outputs['payoutExports']['get'];

const service = useService();
const account = useAccount(service);

const create = (input?: Record<string, unknown>) => createExport(account, input);
const refused = (input: Record<string, unknown>) => refusalOfExport(account, input);

function rowsOf(content: string): string[][] {
  return Papa.parse<string[]>(content, { skipEmptyLines: true }).data;
}

describe('creating an export', () => {
  it('claims every eligible payout and no others', async () => {
    const [first, second] = [await payee(account), await payee(account, { amount_cents: 5_000, currency: 'EUR' })];
    const small = await payee(account, { terms: { minimum_payout_cents: 5_000 } });
    const paid = await payee(account);
    await account.api.post(`/payouts/${paid.payout.id}/pay`);
    service.clock.advance(1, 'minutes');

    const body = await create({ notes: 'November' });
    expect(body).toEqual({
      id: expect.stringMatching(/^pexp_[0-9a-hjkmnp-tv-z]{26}$/),
      state: 'processing',
      export_format: 'csv',
      livemode: true,
      notes: 'November',
      payouts_count: 2,
      totals: [
        { currency: 'EUR', payouts_count: 1, amount_cents: 500 },
        { currency: 'USD', payouts_count: 1, amount_cents: 1_000 },
      ],
      payment_reference: null,
      paid_at: null,
      paid_count: 0,
      returned_count: 0,
      released_at: null,
      needs_approval: false,
      items_hash: null,
      approved_by: null,
      approved_at: null,
      created_at: service.clock.instant(),
      updated_at: service.clock.instant(),
    });
    for (const { payout } of [first, second]) {
      expect(await payoutOf(account, payout.id)).toMatchObject({
        state: 'processing',
        eligible: false,
        ineligible_reasons: ['claimed'],
        updated_at: service.clock.instant(),
      });
    }
    expect((await payoutOf(account, small.payout.id)).state).toBe('pending');
    expect((await payoutOf(account, paid.payout.id)).state).toBe('paid');
  });

  it('claims each of the given payouts once', async () => {
    const [named, other] = [await payee(account), await payee(account)];
    const { payouts_count } = await create({ payout_ids: [named.payout.id, named.payout.id] });
    expect(payouts_count).toBe(1);
    expect((await payoutOf(account, named.payout.id)).state).toBe('processing');
    expect((await payoutOf(account, other.payout.id)).state).toBe('due');
  });

  it('puts new commissions into the next payout', async () => {
    const { payout, program, referral_id } = await payee(account);
    const { id } = await create();
    await sell(account, { referral_id, amount_cents: 3_000 });
    const next = await openPayout(account, program.affiliate.id);
    expect(next).toMatchObject({ state: 'due', amount_cents: 300, commissions_count: 1 });
    expect(next.id).not.toBe(payout.id);
    expect(await payoutOf(account, payout.id)).toMatchObject({ amount_cents: 1_000, commissions_count: 1 });
    expect((await account.api.get<ExportFile>(`/payout_exports/${id}`)).body.totals).toMatchObject([{ amount_cents: 1_000 }]);
  });

  it('refuses unknown payouts, payouts of another account and ineligible payouts, and names each', async () => {
    const { payout } = await payee(account);
    const small = await payee(account, { terms: { minimum_payout_cents: 5_000 } });
    const claimed = await payee(account);
    await create({ payout_ids: [claimed.payout.id] });
    const paid = await payee(account);
    await account.api.post(`/payouts/${paid.payout.id}/pay`);
    const foreign = await payee(await service.createAccount());

    const ids = [payout, small.payout, claimed.payout, paid.payout, foreign.payout].map(({ id }) => id);
    const details = await refused({ payout_ids: [...ids, 'nonsense'] });
    expect(details.map(({ path, code }) => [path, code])).toEqual([
      ['payout_ids.1', 'not_eligible'],
      ['payout_ids.2', 'not_eligible'],
      ['payout_ids.3', 'not_eligible'],
      ['payout_ids.4', 'not_found'],
      ['payout_ids.5', 'not_found'],
    ]);
    expect(details[0]!.message).toContain('below_minimum');
    expect((await payoutOf(account, payout.id)).state).toBe('due');
  });

  it('refuses to create an export when nothing is eligible', async () => {
    expect(await refused({})).toMatchObject([{ path: 'payout_ids', code: 'none_eligible' }]);
  });

  it.each([
    ['walleta', 'walleta_email'],
    ['walletb', 'walletb_email'],
  ])('refuses a %s file with a payout without an address, naming the payout', async (export_format, field) => {
    await payee(account);
    const { payout } = await payee(account, { person: { [field]: null } });
    const details = await refused({ export_format });
    expect(details).toMatchObject([{ path: 'payout_ids', code: 'missing_wallet_address' }]);
    expect(details[0]!.message).toContain(payout.id);
    expect((await payoutOf(account, payout.id)).state).toBe('due');
  });

  it('leaves out payouts that the format cannot pay, if asked to, and names them', async () => {
    const { payout } = await payee(account, { person: { first_name: 'Ada' } });
    const without = await payee(account, { person: { first_name: 'Eve', walleta_email: null } });
    const euros = await payee(account, { currency: 'EUR', person: { first_name: 'Bob' } });
    const made = await create({ export_format: 'walleta', leave_out_unpayable: true });
    expect(made).toMatchObject({ payouts_count: 1, totals: [{ currency: 'USD', payouts_count: 1, amount_cents: 1_000 }] });
    expect(made.left_out).toMatchObject([
      { payout_id: without.payout.id, affiliate_name: 'Eve', code: 'missing_wallet_address' },
      { payout_id: euros.payout.id, affiliate_name: 'Bob', code: 'mixed_currencies' },
    ]);
    for (const { id } of [without.payout, euros.payout]) expect((await payoutOf(account, id)).state).toBe('due');
    expect((await payoutOf(account, payout.id)).state).toBe('processing');
    expect(await refused({ export_format: 'walletb', payout_ids: [payout.id], leave_out_unpayable: true })).toMatchObject([
      { path: 'payout_ids.0', code: 'not_eligible' },
    ]);
    expect(await refused({ export_format: 'walleta', payout_ids: [without.payout.id], leave_out_unpayable: true })).toMatchObject(
      [{ path: 'payout_ids', code: 'missing_wallet_address' }],
    );
  });

  it('tells before what an export would include in each format', async () => {
    const { payout } = await payee(account);
    const { payout: without, program } = await payee(account, { person: { first_name: 'Eve', walleta_email: null } });
    const check = (query = '') => account.api.get<Outputs['payoutExports']['check']>('/payout_exports/check', query);
    const both = { payouts_count: 2, totals: [{ currency: 'USD', payouts_count: 2, amount_cents: 2_000 }], left_out: [] };
    const named = {
      payout_id: without.id,
      affiliate_id: program.affiliate.id,
      affiliate_name: 'Eve',
      code: 'missing_wallet_address',
      message: `Eve (payout ${without.id}) has no PayPal address.`,
    };
    const { body } = await check();
    expect(body.formats).toEqual([
      { export_format: 'csv', left_out_count: 0, ...both },
      {
        export_format: 'walleta',
        payouts_count: 1,
        totals: [{ currency: 'USD', payouts_count: 1, amount_cents: 1_000 }],
        left_out_count: 1,
        left_out: [named],
      },
      { export_format: 'walletb', left_out_count: 0, ...both },
    ]);
    const { body: one } = await check(`payout_ids=${payout.id}`);
    expect(one.formats.map(({ payouts_count, left_out_count }) => [payouts_count, left_out_count])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect((await check('livemode=false')).body.formats.map(({ payouts_count }) => payouts_count)).toEqual([0, 0, 0]);
    expect((await payoutOf(account, payout.id)).state).toBe('due');
  });

  it('refuses a walleta file of several currencies', async () => {
    await payee(account);
    const { payout } = await payee(account, { currency: 'EUR' });
    const details = await refused({ export_format: 'walleta' });
    expect(details).toMatchObject([{ path: 'payout_ids', code: 'mixed_currencies' }]);
    expect(details[0]!.message).toContain(payout.id);
  });

  it.each(['UGX', 'ISK', 'KWD', 'MGA', 'CLP'])('refuses a file for PayPal in %s, or leaves its payouts out', async (currency) => {
    const { payout } = await payee(account, { currency });
    const details = await refused({ export_format: 'walleta' });
    expect(details).toMatchObject([{ code: 'unsupported_currency' }]);
    expect(details[0]!.message).toContain(payout.id);
    await payee(account);
    const left = await create({ export_format: 'walleta', leave_out_unpayable: true });
    expect(left).toMatchObject({ payouts_count: 1, left_out: [{ payout_id: payout.id, code: 'unsupported_currency' }] });
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'due', eligible: true });
  });

  it('carries what PayPal cannot pay into the next payout', async () => {
    const { payout, program } = await payee(account, { amount_cents: 1_234_500, currency: 'HUF' });
    const { formats } = await account.client.payoutExports.check.query({});
    const checked = formats.find(({ export_format }) => export_format === 'walleta');
    const made = await create({ export_format: 'walleta' });
    const totals = [{ currency: 'HUF', payouts_count: 1, amount_cents: 123_400 }];
    expect([checked!.totals, made.totals]).toEqual([totals, totals]);
    const { body } = await account.api.get<ExportFile>(`/payout_exports/${made.id}`);
    expect(rowsOf(body.content).map((row) => row.slice(0, 3))).toEqual([['a@pay.example', '1234', 'HUF']]);
    expect(await payoutOf(account, payout.id)).toMatchObject({ amount_cents: 123_400 });
    const next = await openPayout(account, program.affiliate.id);
    expect(next).toMatchObject({ amount_cents: 50, currency: 'HUF', commissions_count: 1 });

    // Without the export, the payout has its whole amount again, and is paid like before.
    await account.api.delete(`/payout_exports/${made.id}`);
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({ amount_cents: 123_450 });
    const again = await create({ export_format: 'walleta' });
    await account.api.post(`/payout_exports/${again.id}/payment`);
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', amount_cents: 123_400 });
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({ amount_cents: 50 });
    expect((await account.client.payoutRuns.reconcile.query({})).discrepancies).toEqual([]);
  });

  it('leaves out a payout that would be below the minimum without what PayPal cannot pay', async () => {
    const terms = { minimum_payout_cents: 123_420, minimum_payout_currency: 'HUF' };
    const { payout } = await payee(account, { amount_cents: 1_234_500, currency: 'HUF', terms });
    expect(payout).toMatchObject({ amount_cents: 123_450, eligible: true });
    expect(await refused({ export_format: 'walleta' })).toMatchObject([{ code: 'fractional_amount' }]);
    expect(await payoutOf(account, payout.id)).toMatchObject({ amount_cents: 123_450, eligible: true });
    const { id } = await create({ export_format: 'csv' });
    expect((await account.api.post(`/payout_exports/${id}/payment`)).status).toBe(200);
  });

  it('refuses a payout of less than the smallest amount that PayPal pays', async () => {
    await payee(account, { amount_cents: 500, currency: 'HUF' });
    expect(await refused({ export_format: 'walleta' })).toMatchObject([{ code: 'fractional_amount' }]);
  });

  it.each([
    ['payout_ids', { payout_ids: [] }],
    ['payout_ids', { payout_ids: 'payout_1' }],
    ['export_format', { export_format: 'xlsx' }],
    ['notes', { notes: ' ' }],
    ['payouts', { payouts: [] }],
  ])('refuses a bad %s', async (path, input) => {
    await payee(account);
    expect((await refused(input)).map((detail) => detail.path)).toContain(path);
  });

  it('acts only once per Idempotency-Key', async () => {
    await payee(account);
    const key = { 'Idempotency-Key': 'november' };
    const first = await account.api.post<PayoutExport>('/payout_exports', {}, key);
    const second = await account.api.post<PayoutExport>('/payout_exports', {}, key);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  });
});

describe('the file of an export', () => {
  /** Returns the name of the file of an export that was created this month. */
  const nameOf = async (id: string, kind: string) => {
    const { slug } = await account.client.portalSettings.get.query();
    return `${slug}-payouts-${service.clock.instant().slice(0, 7)}-${kind}-${id.slice(-6)}.csv`;
  };

  it('keeps its content from the time of creation, whatever changes', async () => {
    const { program, payout } = await payee(account, { person: { first_name: '=1+1', last_name: 'O"Neil, Jr.' } });
    const { id } = await create();
    const before = (await account.api.get<ExportFile>(`/payout_exports/${id}`)).body;
    expect(before).toMatchObject({ id, filename: await nameOf(id, 'csv') });
    expect(rowsOf(before.content)).toEqual([
      'payout_id,affiliate_id,email,first_name,last_name,walleta_email,walletb_email,amount,amount_cents,currency,commissions_count,created_at'.split(
        ',',
      ),
      [
        payout.id,
        program.affiliate.id,
        program.affiliate.email,
        "'=1+1",
        'O"Neil, Jr.',
        'a@pay.example',
        'b@pay.example',
        '10.00',
        '1000',
        'USD',
        '1',
        payout.created_at,
      ],
    ]);
    const moved = { first_name: 'New', walleta_email: 'new@pay.example', state: 'disabled' };
    await account.api.patch(`/affiliates/${program.affiliate.id}`, moved);
    await account.api.post(`/payout_exports/${id}/payment`);
    expect((await account.api.get<ExportFile>(`/payout_exports/${id}`)).body.content).toBe(before.content);
  });

  it('is rendered in another format on demand', async () => {
    const { program, payout } = await payee(account, { amount_cents: 12_345, currency: 'JPY' });
    const { id } = await create({ export_format: 'walleta' });
    const read = (export_format?: string) =>
      account.api.get<ExportFile>(`/payout_exports/${id}`, export_format ? { export_format } : {});
    const month = service.clock.instant().slice(0, 7);
    const own = await read();
    expect(own.body.filename).toBe(await nameOf(id, 'paypal'));
    expect(rowsOf(own.body.content)).toEqual([
      ['a@pay.example', '1235', 'JPY', program.affiliate.id, expect.stringMatching(`^.+ ${month} ${payout.id}$`), 'PAYPAL'],
    ]);
    const other = await read('walletb');
    expect(other.body.filename).toBe(await nameOf(id, 'wise'));
    expect(rowsOf(other.body.content)[1]).toEqual([
      'Ada',
      'b@pay.example',
      payout.id.slice(-10),
      'PERSON',
      'target',
      '1235',
      'JPY',
      'JPY',
    ]);
    expect(other.body.export_format).toBe('walleta');
    expect((await read('xlsx')).status).toBe(422);
  });

  it('is refused in a format that does not support its payouts', async () => {
    const { payout } = await payee(account, { person: { walletb_email: null } });
    const { id } = await create();
    const { status, body } = await account.api.get<ErrorBody>(`/payout_exports/${id}`, { export_format: 'walletb' });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { details: [{ path: 'export_format', code: 'missing_wallet_address' }] },
    });
    expect(body.error).toContain(payout.id);
  });
});
