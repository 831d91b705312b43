import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import {
  type Payee,
  type PayoutExport,
  announcedPaid,
  createExport,
  openPayout,
  payee,
  payoutOf,
  refusalOfExport,
} from './program.ts';

type ExportFile = Outputs['payoutExports']['get'];
type ExportPage = Outputs['payoutExports']['list'];
type Commission = Outputs['commissions']['get'];

const service = useService({ writesRows: true });
const account = useAccount(service);

const create = (input?: Record<string, unknown>) => createExport(account, input);
const refused = (input: Record<string, unknown>) => refusalOfExport(account, input);

describe('paying an export', () => {
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

  it('is not undone when a commission is voided later, and the next payout is reduced', async () => {
    const { payout, program, referral_id } = await payee(account);
    const { id } = await create();
    const { body } = await account.api.get<Outputs['payouts']['get']>(`/payouts/${payout.id}`, { expand: 'commissions' });
    await account.api.delete(`/commissions/${body.commissions![0]!.id}`);
    await account.api.post(`/payout_exports/${id}/payment`, { already_sent: true });
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', amount_cents: 1_000 });
    expect((await account.api.get<Commission>(`/commissions/${body.commissions![0]!.id}`)).body.state).toBe('voided');
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({
      amount_cents: -1_000,
      ineligible_reasons: expect.arrayContaining(['not_positive']),
    });
    await sell(account, { referral_id, amount_cents: 50_000 });
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({ amount_cents: 4_000, state: 'due' });
  });

  /** Changes after the export was created, by the reason that the refusal names. `undo` takes the change back. */
  const CHANGES: { code: string; change: (paid: Payee) => Promise<unknown>; undo?: (paid: Payee) => Promise<unknown> }[] = [
    ...['disabled', 'suspicious', 'rejected', 'pending'].map((state) => ({
      code: 'affiliate_inactive',
      change: (paid: Payee) => account.api.patch(`/affiliates/${paid.program.affiliate.id}`, { state }),
      undo: (paid: Payee) => account.api.patch(`/affiliates/${paid.program.affiliate.id}`, { state: 'active' }),
    })),
    {
      code: 'affiliate_inactive',
      change: ({ program }) => account.api.delete(`/affiliates/${program.affiliate.id}`),
      undo: ({ program }) => account.api.patch(`/affiliates/${program.affiliate.id}`, { archived_at: null }),
    },
    ...['walleta_email', 'walletb_email'].map((field) => ({
      code: 'payout_details_changed',
      change: (paid: Payee) => account.api.patch(`/affiliates/${paid.program.affiliate.id}`, { [field]: 'thief@pay.example' }),
      undo: (paid: Payee) => changeBack(paid, { [field]: paid.program.affiliate[field as 'walleta_email'] }),
    })),
    {
      code: 'payout_details_changed',
      change: ({ program }) => account.api.patch(`/affiliates/${program.affiliate.id}`, { walleta_email: null }),
      undo: (paid) => changeBack(paid, { walleta_email: 'a@pay.example' }),
    },
    {
      code: 'below_minimum',
      change: ({ program }) => account.api.patch(`/campaigns/${program.campaign.id}`, { minimum_payout_cents: 5_000 }),
      undo: ({ program }) => account.api.patch(`/campaigns/${program.campaign.id}`, { minimum_payout_cents: 0 }),
    },
    {
      code: 'commission_voided',
      change: async ({ payout }) => account.api.delete(`/commissions/${await commissionIn(payout.id)}`),
    },
    {
      code: 'commission_flagged',
      change: ({ payout }) => setCommission(payout.id, { review_status: 'suspicious' }),
      undo: ({ payout }) => setCommission(payout.id, { review_status: null }),
    },
    {
      code: 'amount_mismatch',
      change: ({ payout }) => setCommission(payout.id, { amount_cents: 999 }),
      undo: ({ payout }) => setCommission(payout.id, { amount_cents: 1_000 }),
    },
  ];

  /** Sets a former address again, and waits until payouts are no longer held. */
  async function changeBack({ program }: Payee, address: object): Promise<void> {
    await account.api.patch(`/affiliates/${program.affiliate.id}`, address);
    service.clock.advance(4, 'days');
  }

  async function commissionIn(payoutId: string): Promise<string> {
    const { body } = await account.api.get<Outputs['payouts']['get']>(`/payouts/${payoutId}`, { expand: 'commissions' });
    return body.commissions![0]!.id;
  }

  /** Changes a commission in the database, as only a defect of the service or a person with access to the database could. */
  async function setCommission(payoutId: string, change: { review_status?: 'suspicious' | null; amount_cents?: number }) {
    const id = await commissionIn(payoutId);
    await service.services.database.kysely.updateTable('commission').set(change).where('id', '=', id).execute();
  }

  it.each(CHANGES.map((change, index) => [change.code, index, change] as const))(
    'is refused with %s for a payout that no longer holds (case %i)',
    async (code, _index, { change, undo }) => {
      const sound = await payee(account);
      const changed = await payee(account, { currency: 'EUR', terms: { minimum_payout_currency: 'EUR' } });
      const { id } = await create();
      await change(changed);
      const pay = (more: object = {}) => account.api.post<ErrorBody>(`/payout_exports/${id}/payment`, { ...more });
      const refusal = {
        status: 422,
        body: { details: [{ path: 'payout_export_id', code, message: expect.stringContaining(changed.payout.id) }] },
      };
      expect(await pay()).toMatchObject(refusal);
      expect(await pay({ already_sent: false })).toMatchObject(refusal);
      expect((await pay()).body.details).toHaveLength(1);
      for (const { payout } of [sound, changed]) expect((await payoutOf(account, payout.id)).state).toBe('processing');
      if (undo) await undo(changed);
      expect(await pay(undo ? {} : { already_sent: true })).toMatchObject({
        status: 200,
        body: { state: 'paid', paid_count: 2 },
      });
    },
  );

  it.each(CHANGES.map((change, index) => [change.code, index, change] as const))(
    'records money that was sent already, whatever has changed since (%s, case %i)',
    async (_code, _index, { change }) => {
      const changed = await payee(account, { terms: { minimum_payout_currency: 'USD' } });
      const { id } = await create();
      await change(changed);
      const paid = await account.api.post(`/payout_exports/${id}/payment`, { already_sent: true });
      expect(paid).toMatchObject({ status: 200, body: { state: 'paid', paid_count: 1 } });
      expect((await payoutOf(account, changed.payout.id)).state).toBe('paid');
    },
  );

  it('is refused in the hold after a change of payout details, and leaves the affiliate out of the next export', async () => {
    const sound = await payee(account);
    const changed = await payee(account);
    const { id } = await create();
    const held = { payouts_held_until: '2999-01-01T00:00:00.000Z' };
    await service.services.database.kysely
      .updateTable('affiliate')
      .set(held)
      .where('id', '=', changed.program.affiliate.id)
      .execute();
    expect(await account.api.post(`/payout_exports/${id}/payment`)).toMatchObject({
      status: 422,
      body: { details: [{ code: 'payout_details_changed' }] },
    });
    await account.api.delete(`/payout_exports/${id}`);
    const next = await create();
    expect(next).toMatchObject({ payouts_count: 1 });
    expect(await account.api.post(`/payout_exports/${next.id}/payment`)).toMatchObject({ status: 200, body: { state: 'paid' } });
    expect((await payoutOf(account, sound.payout.id)).state).toBe('paid');
    expect((await payoutOf(account, changed.payout.id)).state).toBe('pending');
  });

  it('accepts a commission that was voided before the export, together with the adjustment that takes it back', async () => {
    const { payout, referral_id } = await payee(account);
    const first = await create();
    await account.api.delete(`/commissions/${await commissionIn(payout.id)}`);
    await account.api.delete(`/payout_exports/${first.id}`);
    await sell(account, { referral_id, amount_cents: 20_000 });
    service.clock.advance(1, 'seconds');
    const { id } = await create();
    expect(await account.api.post(`/payout_exports/${id}/payment`)).toMatchObject({ status: 200, body: { state: 'paid' } });
    expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', amount_cents: 2_000, commissions_count: 3 });
  });
});

describe('deleting an export', () => {
  it('reopens the payouts and adds commissions earned since the claim', async () => {
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

  it('removes the export from the list, leaves it readable, and may be repeated', async () => {
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

describe('listing exports', () => {
  it('pages through exports, newest first, without content', async () => {
    const made: PayoutExport[] = [];
    for (let i = 0; i < 3; i += 1) {
      await payee(account);
      made.unshift(await create());
    }
    const first = await account.api.get<ExportPage>('/payout_exports', { limit: 2 });
    expect(first.body).toEqual({
      data: made.slice(0, 2),
      pagination: {
        previous_page: null,
        current_page: 1,
        next_page: 2,
        previous_cursor: null,
        next_cursor: made[1]!.id,
        count: 2,
        limit: 2,
        total_pages: 2,
        total_count: 3,
      },
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
  it('of exports determine who may read and write exports', async () => {
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

  it('apply only to one account, so that other accounts see no exports', async () => {
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
    expect(new Set(replies.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1);
    expect((await other.api.get<ExportPage>('/payout_exports')).body.data).toEqual([]);
  });
});
