import { expect, it } from 'vitest';
import { line, rule, sellLines } from '../rewards/program.ts';
import { must, program, refer, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

type Commission = Outputs['portal']['listCommissions']['data'][number];

const service = useService();
const account = useAccount(service, 'file');

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

it('an affiliate reads how a commission came about, without tax, names of rules and reasons of voids', async () => {
  const terms = { commission_percent: 20, days_until_commissions_are_due: 30 };
  const made = await program(account, terms, { email: 'ada@partner.example' });
  const referred = async () => ({ ...made, referral: await refer(account, made) });
  const started = await referred();
  const ada = await PortalVisitor.enter(service, account, 'ada@partner.example');
  const customer_email = `${unique('karen')}@customer.example`;
  const commissionsOf = async () => (await ada.query<{ data: Commission[] }>('portal.listCommissions')).data;

  const { external_id } = await sellLines(account, started, [line('p', 11_900)], { tax_amount_cents: 1_900, customer_email });
  await must(account, '/track/refunds', { external_id, refund_id: unique('refund'), amount_cents: 2_380 });
  const [first] = await commissionsOf();
  expect(first).toMatchObject({ source: started.link.token, amount_cents: 1_600, sale_refunded: true });
  expect(plain(first!.explained_in.en)).toBe(
    'The sale counts with US$80.00: it was US$100.00 without tax, and US$20.00 of that were refunded. The campaign pays 20% of US$80.00, rounded to US$16.00.',
  );
  expect(plain(first!.explained_in.de)).toBe(
    'Der Verkauf zählt mit 80,00 $: Es waren 100,00 $ ohne Steuer, davon wurden 20,00 $ erstattet. Die Kampagne zahlt 20 % von 80,00 $, gerundet 16,00 $.',
  );

  await rule(account, started.campaign, { name: 'For Karen only', when: { products: ['pro'] }, pay: { percent: 30 } });
  service.clock.advance(1, 'seconds');
  await sellLines(account, started, [{ ...line('pro', 10_000), name: 'Pro plan' }], { customer_email });
  const [second] = await commissionsOf();
  expect(plain(second!.explained_in.en)).toBe(
    'The sale counts with US$100.00, without tax. Pro plan: A special reward decides: 30% of US$100.00 is US$30.00.',
  );
  // The same customer has the same code in all rows, and another customer has another one.
  expect(second!.customer).toBe(first!.customer);
  await sellLines(account, await referred(), [line('p', 10_000)], { customer_email: `${unique('kim')}@customer.example` });
  const [third] = await commissionsOf();
  expect(third!.customer).toMatch(/^k•••@••• #[0-9A-F]{5}$/);
  expect(third!.customer).not.toBe(first!.customer);

  await account.client.commissions.void.mutate({ id: third!.id, void_reason: 'Kim is a cousin' });
  await account.api.patch(`/campaigns/${started.campaign.id}`, { sale_description_visible_to_affiliates: false });
  const shown = JSON.stringify(await commissionsOf());
  expect(shown).toContain('It is voided, so nothing of it is paid.');
  for (const hidden of ['cousin', 'For Karen only', 'Pro plan', '119.00', '19.00', '23.80', customer_email])
    expect(shown).not.toContain(hidden);
});

it('a redeemed code is named instead of a link', async () => {
  const started = await program(account, { days_until_commissions_are_due: 0 }, { email: 'grace@partner.example' });
  const grace = await PortalVisitor.enter(service, account, 'grace@partner.example');
  const code = unique('TEA').toUpperCase();
  await must(account, '/promo_codes', { affiliate_id: started.affiliate.id, code });
  service.clock.advance(1, 'seconds');
  await must(account, '/track/sales', {
    external_id: unique('order'),
    amount_cents: 10_000,
    currency: 'USD',
    promo_code: code.toLowerCase(),
    customer_email: `${unique('karen')}@customer.example`,
  });
  const { data } = await grace.query<{ data: Commission[] }>('portal.listCommissions');
  expect(data).toMatchObject([{ source: code, amount_cents: 1_000 }]);
});
