import { beforeAll, expect, it } from 'vitest';
import { type Program, must, program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

type Portal = Outputs['portal'];

const service = useService({ checksIndexes: true });
const account = useAccount(service, 'file');
let started: Program;
let ada: PortalVisitor;

beforeAll(async () => {
  started = await program(account, { days_until_commissions_are_due: 0 }, { email: 'ada@partner.example' });
  await must(account, '/promo_codes', { affiliate_id: started.affiliate.id, code: 'Tea-10' });
  ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
  const other = await refer(account, { ...started, link: await link('second') });
  for (const [customer, amount_cents, more] of [
    ['karen', 10_000, {}],
    ['kim', 30_000, { currency: 'EUR' }],
    ['lena', 20_000, { promo_code: 'TEA-10' }],
  ] as const) {
    const { id } = customer === 'kim' ? other : await refer(account, started);
    await sell(account, {
      referral_id: id,
      amount_cents,
      customer_email: `${customer}@customer.example`,
      description: `For ${customer}`,
      ...more,
    });
    service.clock.advance(1, 'days');
  }
});

function link(token: string): Promise<Program['link']> {
  const { affiliate, campaign } = started;
  return must(account, '/links', {
    affiliate_id: affiliate.id,
    campaign_id: campaign.id,
    url: 'https://shop.example.com/',
    token,
  });
}

const sales = async (input: object) => {
  const { data } = await ada.query<Portal['listConversions']>('portal.listConversions', input);
  return data.map(({ description }) => description);
};
const commissions = async (input: object) => {
  const { data } = await ada.query<Portal['listCommissions']>('portal.listCommissions', input);
  return data.map(({ amount_cents }) => amount_cents);
};

it('sales and commissions are filtered, searched and sorted, page by page', async () => {
  const day = (days: number) => new Date(Date.parse(service.clock.instant()) + days * 86_400_000).toISOString().slice(0, 10);
  expect(await sales({})).toEqual(['For lena', 'For kim', 'For karen']);
  expect(await sales({ sort: 'sale_amount_cents' })).toEqual(['For karen', 'For lena', 'For kim']);
  expect(await sales({ q: 'FOR K' })).toEqual(['For kim', 'For karen']);
  expect(await sales({ q: 'second' })).toEqual(['For kim']);
  expect(await sales({ q: 'tea-10' })).toEqual(['For lena']);
  expect(await sales({ currency: 'EUR' })).toEqual(['For kim']);
  expect(await sales({ since: day(-2), until: day(-2) })).toEqual(['For kim']);
  expect(await commissions({ sort: 'amount_cents' })).toEqual([1_000, 2_000, 3_000]);
  expect(await commissions({ q: 'second' })).toEqual([3_000]);
  expect(await commissions({ until: day(-3) })).toEqual([1_000]);
  const first = await ada.query<Portal['listConversions']>('portal.listConversions', { sort: '-sale_amount_cents', limit: 2 });
  const next = { sort: '-sale_amount_cents', limit: 2, starting_after: first.pagination.next_cursor! };
  expect(await sales(next)).toEqual(['For karen']);
});

it('a search finds only what the affiliate sees', async () => {
  for (const hidden of ['karen@', 'customer.example', 'aren@']) expect(await sales({ q: hidden })).toEqual([]);
});

it('codes have the figures of the sales in which they were redeemed', async () => {
  const { data } = await ada.query<Portal['getFigures']>('portal.getFigures', { group_by: 'code' });
  expect(data).toMatchObject([{ value: 'Tea-10', sales: 1, net_revenue_cents: 20_000, commissions_cents: 2_000, clicks: 0 }]);
});

it('a person sees the sums of all of their programs', async () => {
  const second = await service.createAccount();
  const there = await program(second, { days_until_commissions_are_due: 0 }, { email: 'ada@partner.example' });
  await program(second, {}, { email: 'grace@partner.example' });
  await sell(second, {
    referral_id: (await refer(second, there)).id,
    amount_cents: 70_000,
    customer_email: 'lou@customer.example',
  });
  const { data } = await ada.query<Portal['sums']>('portal.sums');
  const due = data.flatMap(({ account_id, earnings }) =>
    earnings.map(({ currency, due_cents }) => `${account_id} ${currency} ${due_cents}`),
  );
  expect(due.toSorted((a, b) => a.localeCompare(b))).toEqual(
    [`${account.id} EUR 3000`, `${account.id} USD 3000`, `${second.id} USD 7000`].toSorted((a, b) => a.localeCompare(b)),
  );
});
