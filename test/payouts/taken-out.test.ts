import { expect, describe, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import type { Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { announcedPaid, createExport, discrepancies, openPayout, payee, type PayoutExport, payoutOf } from './program.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);

const takeOut = (id: string, ...payout_ids: string[]) =>
  account.api.post<PayoutExport & ErrorBody>(`/payout_exports/${id}/take_out`, { payout_ids });
const fileOf = async (id: string) => (await account.api.get<Outputs['payoutExports']['get']>(`/payout_exports/${id}`)).body;
const pay = (id: string) => account.api.post<PayoutExport & ErrorBody>(`/payout_exports/${id}/payment`);

describe('a payout that is taken out of an export', () => {
  it('is due again with what was earned meanwhile, and neither in the file nor in the totals', async () => {
    const [ada, bob] = [await payee(account), await payee(account)];
    const { id } = await createExport(account);
    expect((await fileOf(id)).content).toContain(ada.payout.id);
    await sell(account, { referral_id: ada.referral_id, amount_cents: 50_000 });
    const { status, body } = await takeOut(id, ada.payout.id);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        id,
        state: 'processing',
        payouts_count: 1,
        totals: [{ currency: 'USD', payouts_count: 1, amount_cents: 1_000 }],
        needs_approval: false,
      },
    });
    const file = await fileOf(id);
    expect(file.content).not.toContain(ada.payout.id);
    expect(file.content).toContain(bob.payout.id);
    expect(await openPayout(account, ada.program.affiliate.id)).toMatchObject({ state: 'due', amount_cents: 6_000 });
    const attempts = await account.api.get<{ data: object[] }>('/payout_attempts', { payout_id: ada.payout.id });
    expect(attempts.body.data).toMatchObject([{ state: 'withdrawn', reason: 'taken_out' }]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('is paid by the next export, each payout once', async () => {
    const [ada, bob] = [await payee(account), await payee(account)];
    const { id } = await createExport(account);
    await takeOut(id, ada.payout.id);
    const next = await createExport(account);
    expect(next).toMatchObject({ payouts_count: 1, totals: [{ amount_cents: 1_000 }] });
    expect((await pay(id)).body).toMatchObject({ state: 'paid', paid_count: 1, payouts_count: 1 });
    expect(await payoutOf(account, ada.payout.id)).toMatchObject({ state: 'processing' });
    expect((await pay(next.id)).body).toMatchObject({ state: 'paid', paid_count: 1 });
    expect(await announcedPaid(service, account.id)).toEqual(
      new Map([
        [ada.payout.id, 1],
        [bob.payout.id, 1],
      ]),
    );
    expect(await discrepancies(account)).toEqual([]);
  });

  it('stays in the export if it is not one of its unpaid payouts, or if none would be left', async () => {
    const [ada, bob] = [await payee(account), await payee(account)];
    const { id } = await createExport(account, { payout_ids: [ada.payout.id] });
    const refusal = async (exportId: string, ...ids: string[]) => {
      const { status, body } = await takeOut(exportId, ...ids);
      return { status, codes: body.details?.map(({ path, code }) => [path, code]) };
    };
    expect(await refusal(id, ada.payout.id)).toEqual({ status: 422, codes: [['payout_ids', 'empty']] });
    expect(await refusal(id, ada.payout.id, bob.payout.id)).toEqual({ status: 422, codes: [['payout_ids', 'not_found']] });
    await pay(id);
    expect(await refusal(id, ada.payout.id)).toEqual({ status: 422, codes: [['id', 'invalid_state']] });
    const other = await createExport(account);
    await account.api.delete(`/payout_exports/${other.id}`);
    expect(await refusal(other.id, bob.payout.id)).toEqual({ status: 422, codes: [['id', 'invalid_state']] });
  });

  it('is either paid or due if the export is marked as paid at the same moment', async () => {
    const [ada, bob, eve] = [await payee(account), await payee(account), await payee(account)];
    const { id } = await createExport(account);
    const [taken, again, paid] = await Promise.all([
      takeOut(id, ada.payout.id),
      takeOut(id, ada.payout.id, bob.payout.id),
      pay(id),
    ]);
    expect(paid.status).toBe(200);
    const out = taken.status === 200 ? [ada] : again.status === 200 ? [ada, bob] : [];
    for (const each of [ada, bob, eve])
      expect((await payoutOf(account, each.payout.id)).state).toBe(out.includes(each) ? 'due' : 'paid');
    expect((await fileOf(id)).paid_count).toBe(3 - out.length);
    expect(await discrepancies(account)).toEqual([]);
  });
});
