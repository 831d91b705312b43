/** Every source of imports, filled with the same account (`formerAccount`). */
import type { Fields } from '../support/http.ts';
import { DubServer } from './dub-server/dub-server.ts';
import { FirstPromoterServer } from './first-promoter-server/first-promoter-server.ts';
import { CAMPAIGNS, type FormerAccount } from './former-account.ts';
import { PartnerStackServer } from './partner-stack-server/partner-stack-server.ts';
import { RewardfulServer } from './rewardful-server/rewardful-server.ts';
import { ToltServer } from './tolt-server/tolt-server.ts';
import type { Element, ToolServer } from './tool-server.ts';

interface FormerTool {
  name: string;
  /** True if campaigns come with the import. Otherwise, they must exist before. */
  bringsCampaigns: boolean;
  /** Kinds of records of which some must be made. */
  kinds: readonly string[];
  open: (account: FormerAccount) => Promise<OpenTool>;
}

interface OpenTool {
  /** Begins an import. */
  body: Fields;
  double: ToolServer | null;
}

const LATER = '2999-01-01T00:00:00.000Z';
const PEOPLE = ['affiliate', 'link', 'customer'];

/** Returns a text that names a charge at the payment provider, which is different for each call. */
function chargeNames(): () => string {
  let last = 0;
  return () => `ch_former${(last += 1)}`;
}

async function openRewardful(account: FormerAccount): Promise<OpenTool> {
  const double = await new RewardfulServer().start();
  const campaigns = CAMPAIGNS.map((name) => double.addCampaign({ name }));
  for (const { campaign, state, hasCode, customers } of account) {
    const isFlagged = customers.flat().some((charge) => charge.state === 'flagged');
    const affiliate = double.addAffiliate(campaigns[campaign]!, { state: isFlagged ? 'suspicious' : state });
    if (hasCode) double.addCoupon(affiliate);
    const made = customers.flatMap((charges) => {
      const referral = double.addReferral(affiliate);
      return charges.map((charge) => {
        const state = { scheduled: 'pending', flagged: 'due', due: 'due', voided: 'voided', paid: 'due' }[charge.state];
        const commission = double.addCommission(referral, {
          state,
          amount: charge.earned,
          due_at: state === 'pending' ? LATER : '2024-06-05T07:08:09.000Z',
          voided_at: state === 'voided' ? '2024-06-01T00:00:00.000Z' : null,
          sale: { charge_amount_cents: charge.cents, refund_amount_cents: charge.refunded, currency: charge.currency },
        });
        return { charge, commission };
      });
    });
    for (const currency of ['USD', 'EUR'])
      for (const isPaid of [true, false]) {
        const of = made.filter(({ charge }) => charge.currency === currency && (charge.state === 'paid') === isPaid);
        const commissions = of.filter(({ charge }) => isPaid || charge.state === 'due').map(({ commission }) => commission);
        if (commissions.length > 0) double.addPayout(commissions, isPaid ? {} : { state: 'due' });
      }
  }
  return { body: { source: 'rewardful', credentials: double.secret }, double };
}

async function openFirstPromoter(account: FormerAccount): Promise<OpenTool> {
  const double = await new FirstPromoterServer().start();
  const campaigns = CAMPAIGNS.map((name) => double.addCampaign({ name }));
  for (const { campaign, state, hasCode, customers } of account) {
    const of = campaigns[campaign]!;
    const promoter = double.addPromoter([{ of, state: { active: 'accepted', pending: 'pending', disabled: 'blocked' }[state] }]);
    if (hasCode) double.addCode(promoter);
    const paid = customers.flatMap((charges) => {
      const referral = double.addReferral(promoter, of);
      return charges.flatMap((charge) => {
        const commission = double.addCommission(referral, {
          status: { scheduled: 'pending', flagged: 'approved', due: 'approved', voided: 'denied', paid: 'approved' }[
            charge.state
          ],
          fraud_check: charge.state === 'flagged' ? 'same_ip_suspicion' : 'no_suspicion',
          amount: charge.earned,
          original_sale_amount: charge.cents - charge.refunded,
          original_sale_currency: charge.currency.toLowerCase(),
        });
        return charge.state === 'paid' ? [commission] : [];
      });
    });
    if (paid.length > 0) double.addPayout(paid);
  }
  return { body: { source: 'first_promoter', credentials: double.credentials, currency: 'USD' }, double };
}

async function openTolt(account: FormerAccount): Promise<OpenTool> {
  const double = await new ToltServer().start();
  const groups = CAMPAIGNS.map((name, i) => ({ id: `grp_${i}`, name, created_at: '2024-01-01T00:00:00.000Z' }));
  for (const { campaign, state, hasCode, customers } of account) {
    const partner = double.addPartner(groups[campaign]!, { status: state === 'disabled' ? 'suspended' : state });
    if (hasCode) double.addCode(partner);
    for (const charges of customers) {
      const customer = double.addCustomer(partner);
      for (const charge of charges)
        double.addCommission(customer, {
          status: { scheduled: 'pending', flagged: 'pending', due: 'approved', voided: 'rejected', paid: 'paid' }[charge.state],
          scheduled_approval_date: charge.state === 'scheduled' ? LATER : null,
          amount: String(charge.earned),
          revenue: String(charge.cents - charge.refunded),
          currency: charge.currency,
        });
    }
  }
  return { body: { source: 'tolt', credentials: double.credentials }, double };
}

async function openDub(account: FormerAccount): Promise<OpenTool> {
  const double = await new DubServer().start();
  for (const { state, customers } of account) {
    const partner = double.addPartner({ status: { active: 'approved', pending: 'pending', disabled: 'banned' }[state] });
    const made = customers.flatMap((charges) => {
      const customer = double.addCustomer(partner);
      return charges.map((charge) => {
        const status = { scheduled: 'pending', flagged: 'fraud', due: 'processed', voided: 'refunded', paid: 'processed' };
        const commission = double.addCommission(partner, customer, {
          status: status[charge.state],
          earnings: charge.earned,
          amount: charge.cents - charge.refunded,
          currency: charge.currency.toLowerCase(),
        });
        return { charge, commission };
      });
    });
    for (const currency of ['USD', 'EUR'] as const) {
      const paid = made.filter(({ charge }) => charge.currency === currency && charge.state === 'paid');
      const commissions = paid.map(({ commission }) => commission);
      if (paid.length > 0) double.addPayout(partner, commissions, { currency: currency.toLowerCase() });
    }
  }
  return { body: { source: 'dub', credentials: double.key }, double };
}

async function openPartnerStack(account: FormerAccount): Promise<OpenTool> {
  const double = await new PartnerStackServer().start();
  const groups = CAMPAIGNS.map((name) => double.addGroup(name));
  for (const { campaign, state, customers } of account) {
    const partner = double.addPartner(groups[campaign]!, {
      approved_status: state === 'pending' ? 'pending' : 'approved',
      is_archived: state === 'disabled',
    });
    for (const charges of customers) {
      const customer = double.addCustomer(partner);
      for (const [i, charge] of charges.entries())
        double.addReward(partner, customer, {
          reward_status: { scheduled: 'scheduled', flagged: 'hold', due: 'approved', voided: 'declined', paid: 'paid' }[
            charge.state
          ],
          amount: charge.earned,
          currency: charge.currency,
          transaction: { key: `tran_${i}`, amount: charge.cents - charge.refunded, currency: charge.currency },
        });
    }
  }
  return { body: { source: 'partner_stack', credentials: double.credentials }, double };
}

/** Returns a file with a line for each element, whose fields are the columns. */
function file(kind: string, elements: readonly Element[]): Fields {
  const columns = Object.keys(elements[0]!);
  return { kind, content: [columns, ...elements.map((each) => columns.map((name) => each[name]))].join('\n') };
}

function openFiles(account: FormerAccount): Promise<OpenTool> {
  const nextCharge = chargeNames();
  const people = account.map((each, i) => ({ ...each, id: `aff-${i}`, email: `partner.${i}@example.com` }));
  const customers = people.flatMap(({ id, ...each }) =>
    each.customers.map((charges, i) => ({ charges, affiliate: id, email: `customer.${i}.${id}@shop.example` })),
  );
  const commissions = customers.flatMap(({ charges, affiliate, email }) =>
    charges.map((charge) => ({
      affiliate,
      customer: email,
      state: charge.state,
      amount_cents: charge.earned,
      currency: charge.currency,
      sale_amount_cents: charge.cents - charge.refunded,
      stripe_charge_id: nextCharge(),
      payout: charge.state === 'paid' ? `pay-${affiliate}-${charge.currency}` : '',
      due_at: charge.state === 'scheduled' ? LATER : '2024-06-05T07:08:09.000Z',
      created_at: '2024-05-06T07:08:09.000Z',
    })),
  );
  const paid = Map.groupBy(
    commissions.filter(({ payout }) => payout !== ''),
    ({ payout }) => payout,
  );
  return Promise.resolve({
    double: null,
    body: {
      source: 'csv',
      files: [
        file(
          'affiliates',
          people.map(({ id, email, state }) => ({ id, email, state, token: `token-${id}`, created_at: '2023-02-03' })),
        ),
        file(
          'customers',
          customers.map(({ affiliate, email }) => ({ affiliate, email, created_at: '2023-03-04', converted_at: '2023-03-06' })),
        ),
        file(
          'codes',
          people.filter(({ hasCode }) => hasCode).map(({ id }) => ({ affiliate: id, code: `CODE-${id}` })),
        ),
        file('commissions', commissions),
        file(
          'payouts',
          [...paid].map(([id, of]) => ({
            id,
            affiliate: of[0]!.affiliate,
            amount_cents: of.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
            currency: of[0]!.currency,
            paid_at: '2024-07-01',
          })),
        ),
      ],
    },
  });
}

/** Lemon Squeezy tells affiliates alone, with the names that its API has for their fields. */
function openLemonSqueezy(account: FormerAccount): Promise<OpenTool> {
  const affiliates = account.map(({ state }, i) => ({
    id: 1_000 + i,
    user_name: `Partner No. ${i}`,
    user_email: `partner.${i}@example.com`,
    status: state,
    total_earnings: 10_000,
    unpaid_earnings: 5_000,
    created_at: '2024-05-06T07:08:09.000000Z',
  }));
  return Promise.resolve({ body: { source: 'csv', files: [file('affiliates', affiliates)] }, double: null });
}

export const FORMER_TOOLS: readonly FormerTool[] = [
  {
    name: 'Rewardful',
    bringsCampaigns: true,
    kinds: ['campaign', ...PEOPLE, 'code', 'commission', 'payout'],
    open: openRewardful,
  },
  {
    name: 'FirstPromoter',
    bringsCampaigns: true,
    kinds: ['campaign', ...PEOPLE, 'code', 'commission', 'payout'],
    open: openFirstPromoter,
  },
  { name: 'Tolt', bringsCampaigns: false, kinds: [...PEOPLE, 'code', 'commission'], open: openTolt },
  { name: 'Dub', bringsCampaigns: false, kinds: [...PEOPLE, 'commission', 'payout'], open: openDub },
  { name: 'PartnerStack', bringsCampaigns: false, kinds: [...PEOPLE, 'commission'], open: openPartnerStack },
  { name: 'a Lemon Squeezy file', bringsCampaigns: false, kinds: ['affiliate'], open: openLemonSqueezy },
  { name: 'CSV files', bringsCampaigns: false, kinds: [...PEOPLE, 'code', 'commission', 'payout'], open: openFiles },
];
