import Papa from 'papaparse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';
import { type PayoutExport, announcedPaid, openPayout, payee, payoutOf } from './program.ts';

type ExportFile = Outputs['payoutExports']['get'];
type ExportPage = Outputs['payoutExports']['list'];
type Commission = Outputs['commissions']['get'];

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
});

async function create(input: Record<string, unknown> = {}): Promise<PayoutExport> {
  const { status, body } = await account.api.post<PayoutExport>('/payout_exports', input);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function refused(input: Record<string, unknown>): Promise<NonNullable<ErrorBody['details']>> {
  const { status, body } = await account.api.post<ErrorBody>('/payout_exports', input);
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
  return body.details!;
}

function rowsOf(content: string): string[][] {
  return Papa.parse<string[]>(content, { skipEmptyLines: true }).data;
}

describe('create', () => {
  it('claims every eligible payout and nothing else', async () => {
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

  it('refuses payouts that are unknown, another account’s, or not eligible, naming each', async () => {
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

  it('refuses a walleta file of several currencies', async () => {
    await payee(account);
    const { payout } = await payee(account, { currency: 'EUR' });
    const details = await refused({ export_format: 'walleta' });
    expect(details).toMatchObject([{ path: 'payout_ids', code: 'mixed_currencies' }]);
    expect(details[0]!.message).toContain(payout.id);
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

  it('does nothing twice under one Idempotency-Key', async () => {
    await payee(account);
    const key = { 'Idempotency-Key': 'november' };
    const first = await account.api.post<PayoutExport>('/payout_exports', {}, key);
    const second = await account.api.post<PayoutExport>('/payout_exports', {}, key);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  });
});

describe('the file', () => {
  it('keeps its content of the time of creation, whatever changes', async () => {
    const { program, payout } = await payee(account, { person: { first_name: '=1+1', last_name: 'O"Neil, Jr.' } });
    const { id } = await create();
    const before = (await account.api.get<ExportFile>(`/payout_exports/${id}`)).body;
    expect(before).toMatchObject({ id, filename: `payout-export-${id}-csv.csv` });
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
    const own = await read();
    expect(own.body.filename).toBe(`payout-export-${id}-walleta.csv`);
    expect(rowsOf(own.body.content)).toEqual([
      ['a@pay.example', '1235', 'JPY', program.affiliate.id, `Affiliate payout ${payout.id}`, 'PAYPAL'],
    ]);
    const other = await read('walletb');
    expect(other.body.filename).toBe(`payout-export-${id}-walletb.csv`);
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

describe('payment', () => {
  it('pays all payouts together and announces each once', async () => {
    const payees = [await payee(account), await payee(account, { currency: 'EUR' })];
    const { id } = await create();
    service.clock.advance(1, 'hours');
    const { status, body } = await account.api.post<PayoutExport>(`/payout_exports/${id}/payment`, {
      payment_reference: 'batch 7',
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id, state: 'paid', payment_reference: 'batch 7', paid_at: service.clock.instant() },
    });
    for (const { payout } of payees) {
      expect(await payoutOf(account, payout.id)).toMatchObject({
        state: 'paid',
        payment_reference: 'batch 7',
        paid_at: service.clock.instant(),
      });
      const { body } = await account.api.get<Outputs['payouts']['get']>(`/payouts/${payout.id}`, { expand: 'commissions' });
      expect(body.commissions).toMatchObject([{ state: 'paid', paid_at: service.clock.instant(), payout_id: payout.id }]);
    }
    const announced = await announcedPaid(service, account.id);
    expect(announced).toEqual(new Map(payees.map(({ payout }) => [payout.id, 1])));
  });

  it('is refused the second time, and for a deleted export', async () => {
    await payee(account);
    const paid = await create();
    await account.api.post(`/payout_exports/${paid.id}/payment`);
    await payee(account);
    const deleted = await create();
    await account.api.delete(`/payout_exports/${deleted.id}`);
    for (const { id } of [paid, deleted]) {
      const { status, body } = await account.api.post<ErrorBody>(`/payout_exports/${id}/payment`);
      expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ code: 'invalid_state' }] } });
    }
    expect([...(await announcedPaid(service, account.id)).values()]).toEqual([1]);
  });

  it('stays when a commission is voided afterwards: the next payout is reduced', async () => {
    const { payout, program, referral_id } = await payee(account);
    const { id } = await create();
    const { body } = await account.api.get<Outputs['payouts']['get']>(`/payouts/${payout.id}`, { expand: 'commissions' });
    await account.api.delete(`/commissions/${body.commissions![0]!.id}`);
    await account.api.post(`/payout_exports/${id}/payment`);
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', amount_cents: 1_000 });
    expect((await account.api.get<Commission>(`/commissions/${body.commissions![0]!.id}`)).body.state).toBe('voided');
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({
      amount_cents: -1_000,
      ineligible_reasons: expect.arrayContaining(['not_positive']),
    });
    await sell(account, { referral_id, amount_cents: 50_000 });
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({ amount_cents: 4_000, state: 'due' });
  });
});

describe('delete', () => {
  it('opens the payouts again, and adds what was earned meanwhile', async () => {
    const { payout, program, referral_id } = await payee(account);
    const { id } = await create();
    await sell(account, { referral_id, amount_cents: 3_000 });
    const next = await openPayout(account, program.affiliate.id);
    service.clock.advance(1, 'minutes');

    const { status, body } = await account.api.delete<PayoutExport>(`/payout_exports/${id}`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id, state: 'released', released_at: service.clock.instant() },
    });
    const open = await openPayout(account, program.affiliate.id);
    expect(open).toMatchObject({ id: payout.id, state: 'due', eligible: true, amount_cents: 1_300, commissions_count: 2 });
    expect((await account.api.get(`/payouts/${next.id}`)).status).toBe(404);
    const eligible = await account.api.get<{ data: { id: string }[] }>('/payouts', { eligible: true });
    expect(eligible.body.data.map((one) => one.id)).toEqual([payout.id]);

    await sell(account, { referral_id, amount_cents: 2_000 });
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({
      id: payout.id,
      amount_cents: 1_500,
      commissions_count: 3,
    });
    expect((await create()).totals).toMatchObject([{ amount_cents: 1_500 }]);
  });

  it('takes it out of the list, leaves it readable, and may be repeated', async () => {
    await payee(account);
    const { id } = await create();
    const first = await account.api.delete(`/payout_exports/${id}`);
    service.clock.advance(1, 'minutes');
    const second = await account.api.delete(`/payout_exports/${id}`);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect((await account.api.get<ExportPage>('/payout_exports')).body.data).toEqual([]);
    expect((await account.api.get<ExportFile>(`/payout_exports/${id}`)).body).toMatchObject({
      state: 'released',
      content: expect.stringContaining('10.00'),
    });
  });

  it('is refused for a paid export', async () => {
    const { payout } = await payee(account);
    const { id } = await create();
    await account.api.post(`/payout_exports/${id}/payment`);
    expect(await account.api.delete(`/payout_exports/${id}`)).toMatchObject({
      status: 422,
      body: { details: [{ code: 'invalid_state' }] },
    });
    expect((await payoutOf(account, payout.id)).state).toBe('paid');
  });
});

describe('list', () => {
  it('pages through exports, newest first, without content', async () => {
    const made: PayoutExport[] = [];
    for (let i = 0; i < 3; i += 1) {
      await payee(account);
      made.unshift(await create());
    }
    const first = await account.api.get<ExportPage>('/payout_exports', { limit: 2 });
    expect(first.body).toEqual({
      data: made.slice(0, 2),
      pagination: { previous_page: null, current_page: 1, next_page: 2, count: 2, limit: 2, total_pages: 2, total_count: 3 },
    });
    const second = await account.api.get<ExportPage>('/payout_exports', { limit: 2, page: 2 });
    expect(second.body.data).toEqual(made.slice(2));
    expect((await account.api.get('/payout_exports', { limit: 0 })).status).toBe(422);
  });
});

describe('a claimed payout', () => {
  it('cannot be paid by hand or exported again', async () => {
    const { payout } = await payee(account);
    await create();
    expect((await account.api.post(`/payouts/${payout.id}/pay`)).status).toBe(422);
    expect(await refused({ payout_ids: [payout.id] })).toMatchObject([{ path: 'payout_ids.0', code: 'not_eligible' }]);
    expect(await refused({})).toMatchObject([{ code: 'none_eligible' }]);
  });

  it('keeps its commissions unchanged', async () => {
    const { payout } = await payee(account);
    await create();
    const { body } = await account.api.get<Outputs['payouts']['get']>(`/payouts/${payout.id}`, { expand: 'commissions' });
    const path = `/commissions/${body.commissions![0]!.id}`;
    const attempts = [
      account.api.patch<ErrorBody>(path, { paid_at: service.clock.instant() }),
      account.api.patch<ErrorBody>(path, { due_at: '2030-01-01T00:00:00Z' }),
      account.api.post<ErrorBody>(`${path}/review`, { review_action: 'suspicious' }),
    ];
    for (const { status, body } of await Promise.all(attempts))
      expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ code: 'in_payout' }] } });
  });
});

describe('permissions', () => {
  it('of exports decide who may read and write them', async () => {
    await payee(account);
    const { id } = await create();
    const reader = await account.apiWith({ 'v1.payout_exports.read': true, 'v1.payouts.write': true });
    const writer = await account.apiWith({ 'v1.payout_exports.write': true });
    const statuses = async (api: typeof reader) => [
      (await api.get('/payout_exports')).status,
      (await api.get(`/payout_exports/${id}`)).status,
      (await api.post('/payout_exports', {})).status,
      (await api.delete(`/payout_exports/${id}`)).status,
      (await api.post(`/payout_exports/${id}/payment`)).status,
    ];
    expect(await statuses(reader)).toEqual([200, 200, 403, 403, 403]);
    expect(await statuses(writer)).toEqual([403, 403, 422, 200, 422]);
  });

  it('end at the account: other accounts see no export', async () => {
    await payee(account);
    const { id } = await create();
    const other = await service.createAccount();
    const replies = await Promise.all([
      other.api.get(`/payout_exports/${id}`),
      other.api.delete(`/payout_exports/${id}`),
      other.api.post(`/payout_exports/${id}/payment`),
      other.api.get('/payout_exports/nonsense'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await other.api.get<ExportPage>('/payout_exports')).body.data).toEqual([]);
  });
});
