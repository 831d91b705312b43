import { describe, expect, it } from 'vitest';
import { PortalVisitor, mailedToken } from '../portal/people.ts';
import { refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount, useProgram } from '../support/suite.ts';

type Commission = Outputs['commissions']['list']['data'][number];

const service = useService();
const account = useAccount(service);
const ada = useProgram(account, { days_until_commissions_are_due: 0 });

const FLAGGED = { review_status: 'suspicious', review_reason: 'self_referral' };

async function sold(customer_email: string): Promise<{ id: string }> {
  const referral = await refer(account, ada);
  return (await sell(account, { referral_id: referral.id, customer_email })).commission!;
}

const commission = async (id: string) => (await account.api.get<Commission>(`/commissions/${id}`)).body;
const openPayouts = async () =>
  (await account.api.get<{ data: { amount_cents: number }[] }>('/payouts')).body.data.map(({ amount_cents }) => amount_cents);

describe('a self-referral', () => {
  it.each([
    ['the affiliate’s own address', {}, (email: string) => email.toUpperCase()],
    ['the PayPal address', { walleta_email: 'ada.king@gmail.com' }, () => 'adaking+shop@googlemail.com'],
    ['the Wise address', { walletb_email: 'ada@proton.me' }, () => 'ada+1@pm.me'],
  ])('is flagged by %s and kept out of payouts', async (_, addresses, customer) => {
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, addresses);
    const { id } = await sold(customer(ada.affiliate.email));
    expect(await commission(id)).toMatchObject({ state: 'due', payout_id: null, ...FLAGGED });
    expect(await openPayouts()).toEqual([]);
    const approved = await account.api.post(`/commissions/${id}/review`, { review_action: 'approve' });
    expect(approved.body).toMatchObject({ review_status: 'approved', review_reason: 'self_referral' });
    expect(await openPayouts()).toEqual([1_000]);
  });

  it('is not flagged for another mailbox of the same domain', async () => {
    const { id } = await sold(`${unique('grace')}@example.com`);
    expect(await commission(id)).toMatchObject({ review_status: null, review_reason: null });
  });

  it('is detected in unpaid commissions when the affiliate takes the customer’s address', async () => {
    const first = await sold('grace@gmail.com');
    const approved = await sold('g.race+2@gmail.com');
    await account.api.post(`/commissions/${approved.id}/review`, { review_action: 'approve' });
    const other = await sold('henry@gmail.com');
    expect(await openPayouts()).toEqual([3_000]);
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { walleta_email: 'gra.ce@googlemail.com' });
    expect(await commission(first.id)).toMatchObject({ payout_id: null, ...FLAGGED });
    expect(await commission(approved.id)).toMatchObject({ review_status: 'approved' });
    expect(await commission(other.id)).toMatchObject({ review_status: null });
    expect(await openPayouts()).toEqual([2_000]);
  });

  it.each([
    [
      'payout details',
      async (visitor: PortalVisitor, address: string) => {
        await visitor.mutate('portal.updatePayoutDetails', { walletb_email: address });
      },
    ],
    [
      'email address',
      async (visitor: PortalVisitor, address: string) => {
        await visitor.mutate('portal.requestEmailChange', { new_email: address });
        const tokens = [
          await mailedToken(service, ada.affiliate.email, /^Your email address at/),
          await mailedToken(service, address, /^Confirm your new email address/),
        ];
        for (const token of tokens) await account.client.portal.answerEmailChange.mutate({ token, answer: 'agree' });
      },
    ],
  ])(
    'is detected in unpaid commissions when the affiliate makes the customer’s address their own %s in the portal',
    async (_, change) => {
      const { id } = await sold('grace@gmail.com');
      expect(await openPayouts()).toEqual([1_000]);
      await change(await PortalVisitor.enter(service, account, ada.affiliate.email), 'gra.ce@googlemail.com');
      expect(await commission(id)).toMatchObject({ payout_id: null, ...FLAGGED });
      expect(await openPayouts()).toEqual([0]);
    },
  );

  it('does not change a paid commission', async () => {
    const { id } = await sold('grace@gmail.com');
    const { payout_id } = await commission(id);
    expect((await account.api.post(`/payouts/${payout_id}/pay`)).status).toBe(200);
    await account.api.patch(`/affiliates/${ada.affiliate.id}`, { walleta_email: 'grace@gmail.com' });
    expect(await commission(id)).toMatchObject({ state: 'paid', review_status: null });
  });

  it('is detected when the customer’s address becomes known later', async () => {
    const referral = await refer(account, ada);
    const { commission: earned } = await sell(account, { referral_id: referral.id, psp_customer_id: 'cus_later' });
    expect(await commission(earned!.id)).toMatchObject({ review_status: null });
    await sell(account, { psp_customer_id: 'cus_later', customer_email: ada.affiliate.email });
    expect(await commission(earned!.id)).toMatchObject({ payout_id: null, ...FLAGGED });
    expect(await openPayouts()).toEqual([0]);
  });
});
