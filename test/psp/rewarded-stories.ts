import type { Fact, Setting, StoryRule } from './story-facts.ts';
import type { Outcome } from './story-outcome.ts';

const BY_LINE: readonly StoryRule[] = [
  { product: 'pro', pay: 30 },
  { product: 'free', pay: 'nothing' },
];
const HALF = (product: 'pro' | 'free') => ({
  amount: 10_000,
  lines: [
    { product: 'pro' as const, cents: 5_000 },
    { product: 'free' as const, cents: 5_000 },
  ],
  refunded: 5_000,
  refundedProduct: product,
});
/** A time in the second of a charge on that day. A change has all charges of the account in its second decided again, so the stories have seconds of their own. */
const SECOND_OF = (day: number) => day + 0.43 / 86_400;
const ON_TOP: readonly StoryRule[] = [{ pay: 10, onTop: true }];

/** Stories about rewards, persons and joined customers that each show one rule, with a part of their outcome, which is the same in every order. */
export const REWARDED_STORIES: [rule: string, setting: Partial<Setting>, story: Fact[], expected: Partial<Outcome>][] = [
  [
    'a rule for a code decides when the checkout names the code after the charge',
    { rules: [{ code: 'A', pay: 40 }] },
    [{ kind: 'payment', day: 10, amount: 2_500, code: 'A' }],
    { earnings: ['0 A live 1000'] },
  ],
  [
    'a rule for a code decides about a sale that the link of the same affiliate won',
    { rules: [{ code: 'A', pay: 40 }] },
    [{ kind: 'purchase', day: 10, amount: 2_500, link: 'A', code: 'A', chargedBefore: 0 }],
    { earnings: ['0 A live 1000'] },
  ],
  [
    'a rule for a code decides about a sale whose refund failed, whenever the checkout names the code',
    { rules: [{ code: 'A', pay: 40 }] },
    [{ kind: 'purchase', day: 10, amount: 2_500, link: 'A', code: 'A', chargedBefore: 0, refunded: 2_500, refundFails: true }],
    { earnings: ['0 A live 1000'] },
  ],
  [
    'a rule on top for a code pays when the merchant reports the code of an invoice',
    { rules: [{ code: 'A', pay: 10, onTop: true }] },
    [
      { kind: 'renewal', day: 10, amount: 2_500 },
      { kind: 'report', day: 10, amount: 2_500, same: 0, by: 'invoice', code: 'A' },
    ],
    { earnings: ['0 A live 500', '0 A live bonus 250'] },
  ],
  [
    'a refund of the line that pays takes everything, also if the merchant reports the payment without lines',
    { rules: BY_LINE },
    [
      { kind: 'purchase', day: 10, link: 'A', ...HALF('pro') },
      { kind: 'report', day: 10, amount: 10_000, same: 0 },
    ],
    { earnings: [] },
  ],
  [
    'a refund of the line that pays nothing takes nothing, also if the merchant reports the payment without lines',
    { rules: BY_LINE },
    [
      { kind: 'purchase', day: 10, link: 'A', ...HALF('free') },
      { kind: 'report', day: 10, amount: 10_000, same: 0 },
    ],
    { earnings: ['0 A live 1500'] },
  ],
  [
    'an address typed into a checkout that was opened before takes nothing that was earned before',
    { rules: [], apart: true },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'B', visit: 2 },
      { kind: 'trial', day: 20, known: 'second', opened: 15, link: 'A', visit: 1 },
      { kind: 'renewal', day: 40, amount: 10_000 },
    ],
    { earnings: ['0 B live 2000', '2 B live 2000'] },
  ],
  [
    'an address that a stranger enters at the provider takes nothing that was earned before',
    { rules: [], apart: true },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'B', visit: 2 },
      { kind: 'trial', day: 8, known: 'second id', opened: 3, link: 'A', visit: 1 },
      { kind: 'joining', day: 20, known: 'second' },
      { kind: 'renewal', day: 40, amount: 10_000 },
    ],
    { earnings: ['0 B live 2000', '3 B live 2000'] },
  ],
  [
    'a sale that a person assigned earns, whenever the checkout that excludes it becomes known',
    { rules: [] },
    [
      { kind: 'payment', day: 62, amount: 1_000, code: 'B', excluded: 'checkout' },
      { kind: 'moment', day: 63, of: 0, assign: 'A' },
    ],
    { earnings: ['0 A live 200'], answers: ['1 done'] },
  ],
  [
    'a bonus ends when a person voids the commission of its sale',
    { rules: ON_TOP },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'A' },
      { kind: 'moment', day: 20, of: 0, act: 'void', who: 'A' },
    ],
    { earnings: [] },
  ],
  [
    'a bonus ends when a person deactivates the commission of its sale',
    { rules: ON_TOP },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'A' },
      { kind: 'moment', day: 20, of: 0, act: 'deactivate', who: 'A' },
    ],
    { earnings: [] },
  ],
  [
    'a bonus is held when a person finds the commission of its sale suspicious',
    { rules: ON_TOP },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'A' },
      { kind: 'moment', day: 20, of: 0, act: 'suspicious', who: 'A' },
    ],
    { earnings: ['0 A live 2000', '0 A live bonus 1000'], flags: ['0 A live bonus null 1000', '0 A live null 2000'] },
  ],
  [
    'a bonus falls due with the commission of its sale when a person moves the due date',
    { rules: ON_TOP },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'A' },
      { kind: 'moment', day: 20, of: 0, act: 'due', who: 'A' },
    ],
    { due: ['0 A live bonus on day 520', '0 A live on day 520'] },
  ],
  [
    'a sale that earns nothing any more counts for no milestone',
    { rules: [{ event: 'milestone', pay: { cents: 5_000 }, milestone: { metric: 'sales', at: 1 } }, ...BY_LINE] },
    [{ kind: 'purchase', day: 10, link: 'A', ...HALF('pro') }],
    { earnings: [] },
  ],
  [
    'a sale that pays nothing but a bonus takes no place',
    {
      maxCommissions: 1,
      rules: [
        { pay: 'nothing', upTo: 1 },
        { pay: 5, onTop: true },
      ],
    },
    [
      { kind: 'payment', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 5_000 },
    ],
    { earnings: ['0 A live bonus 50', '1 A live 1000', '1 A live bonus 250'] },
  ],
  [
    'a milestone falls due with the charge that reaches it',
    { dueDays: 30, rules: [{ event: 'milestone', pay: { cents: 5_000 }, milestone: { metric: 'sales', at: 2 } }] },
    [
      { kind: 'payment', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 1_000 },
      { kind: 'renewal', day: 70, amount: 1_000 },
    ],
    { due: ['0 A live on day 40', '1 A live on day 70', '2 A live on day 100', 'milestone 0 A live on day 70'] },
  ],
  [
    'a code of another affiliate counts one lead, whether or not it was known before the sale that binds the customer',
    { rules: [] },
    [
      { kind: 'payment', day: 25, amount: 1_000, link: 'A', visit: 24 },
      { kind: 'payment', day: 65, amount: 1_000, code: 'B' },
    ],
    { earnings: ['0 A live 200', '1 A live 200'] },
  ],
  [
    'the lines of the provider win over those that the merchant reports',
    { rules: BY_LINE },
    [
      { kind: 'purchase', day: 10, amount: 1_000, link: 'A', lines: [{ product: 'free', cents: 1_000 }] },
      { kind: 'report', day: 10, amount: 1_000, same: 0, lines: [{ product: 'pro', cents: 1_000 }] },
    ],
    { earnings: [] },
  ],
  [
    'charges use up a cap in the order of their times',
    { rules: [{ pay: 50, cap: { cents: 6_000, per: 'referral' } }], dueDays: 30 },
    [
      { kind: 'payment', day: 10, amount: 10_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 10_000 },
      { kind: 'renewal', day: 70, amount: 10_000 },
    ],
    {
      earnings: ['0 A live 5000', '1 A live 1000'],
      due: ['0 A live on day 40', '1 A live on day 70'],
      sales: ['0 A earns', '1 A earns', '2 A nothing_to_earn'],
    },
  ],
  [
    'charges of several customers use up the cap of their affiliate in the order of their times',
    { rules: [{ pay: 50, cap: { cents: 6_000, per: 'affiliate' } }, ...ON_TOP], apart: true },
    [
      { kind: 'report', day: 70, amount: 10_000, known: 'own', link: 'A', visit: 60 },
      { kind: 'report', day: 10, amount: 10_000, known: 'email', link: 'A', visit: 1 },
      { kind: 'report', day: 40, amount: 10_000, known: 'shop', link: 'A', visit: 30 },
    ],
    {
      earnings: ['0 A live bonus 1000', '1 A live 5000', '1 A live bonus 1000', '2 A live 1000', '2 A live bonus 1000'],
    },
  ],
  [
    'a refund leaves the cap to later charges, and a correction upward gets what earlier charges leave',
    { rules: [{ pay: 50, cap: { cents: 6_000, per: 'referral' } }] },
    [
      { kind: 'report', day: 10, amount: 10_000, refunded: 10_000, link: 'A', visit: 1 },
      { kind: 'report', day: 20, amount: 10_000, link: 'A', visit: 1 },
      { kind: 'moment', day: 40, of: 1, amount: 14_000 },
    ],
    { earnings: ['1 A live 6000'] },
  ],
  [
    'what two reports say of one payment counts, also if they turn out to be of one payment later',
    { rules: [] },
    [
      { kind: 'payment', day: 10, amount: 1_000, known: 'both' },
      { kind: 'report', day: 10, same: 0, amount: 1_000, known: 'shop' },
      { kind: 'report', day: 10, same: 0, by: 'intent', amount: 1_000, known: 'nobody', link: 'A', visit: 1 },
    ],
    { earnings: ['0 A live 200'], answers: ['1 done', '2 done'] },
  ],
  [
    'the reward for a lead falls due after an earlier naming, also if that comes after a correction to nothing',
    { rules: [{ event: 'lead', pay: { cents: 300 }, hold: 300 }] },
    [
      { kind: 'trial', day: 5, link: 'A', visit: 1 },
      { kind: 'report', day: 10, amount: 1_000, link: 'A', visit: 1 },
      { kind: 'moment', day: 20, of: 1, amount: 0 },
    ],
    { earnings: ['lead A 1 A live 300'], due: ['lead A 1 A live on day 305'], flags: [] },
  ],
  [
    'a lead earns the reward of its time, also if the checkout becomes known after the referral has expired',
    { rules: [{ event: 'lead', pay: { cents: 300 }, hold: 3 }], apart: true },
    [
      { kind: 'trial', day: 30, link: 'A', visit: 1 },
      { kind: 'lead', day: 40, link: 'A', visit: 1 },
      { kind: 'report', day: 100, amount: 1_000 },
    ],
    { earnings: ['lead A 1 A live 300'], due: ['lead A 1 A live on day 33'], sales: ['2 A referral_expired'] },
  ],
  [
    'a lead that has fallen due keeps its reward when a code of another affiliate wins the customer later',
    { rules: [{ event: 'lead', pay: { cents: 300 }, hold: 3 }] },
    [
      { kind: 'report', day: 14, amount: 0, link: 'B', visit: 1 },
      { kind: 'payment', day: 111, amount: 2_500, code: 'A' },
      { kind: 'renewal', day: 141, amount: 2_500 },
    ],
    { earnings: ['1 A live 500', '2 A live 500', 'lead B 1 B live 300'] },
  ],
  [
    'a customer earns one reward for a lead, also if another affiliate wins the customer after it has fallen due',
    { rules: [{ event: 'lead', pay: { cents: 300 }, hold: 3 }] },
    [
      { kind: 'trial', day: 5, link: 'A', visit: 1 },
      { kind: 'payment', day: 80, amount: 2_500, link: 'B', visit: 70 },
      { kind: 'renewal', day: 110, amount: 2_500 },
      { kind: 'renewal', day: 140, amount: 2_500 },
    ],
    { earnings: ['1 B live 500', '2 B live 500', '3 B live 500', 'lead A 1 A live 300'] },
  ],
  [
    'a rule that changes in the second of a charge counts for the charge',
    { rules: [{ pay: 30 }] },
    [
      { kind: 'payment', day: 10.11, amount: 1_000, link: 'A' },
      { kind: 'moment', day: SECOND_OF(10.11), rule: 0, becomes: { pay: 60 } },
    ],
    { earnings: ['0 A live 600'] },
  ],
  [
    'terms that change in the second of a charge count for the charge, with their due date',
    { rules: [], dueDays: 30 },
    [
      { kind: 'payment', day: 10.12, amount: 1_000, link: 'A' },
      { kind: 'moment', day: SECOND_OF(10.12), terms: { commission_percent: 40, days_until_commissions_are_due: 60 } },
    ],
    { earnings: ['0 A live 400'], due: ['0 A live on day 70.12'] },
  ],
  [
    'limits that change in the second of a charge count for the charge',
    { rules: [] },
    [
      { kind: 'payment', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40.13, amount: 1_000 },
      { kind: 'moment', day: SECOND_OF(40.13), terms: { max_commissions: 1 } },
    ],
    { earnings: ['0 A live 200'], sales: ['0 A earns', '1 A max_commissions_reached'] },
  ],
  [
    'an affiliate who is disabled in the second of a charge earns nothing from the charge',
    { rules: [] },
    [
      { kind: 'payment', day: 10.14, amount: 1_000, link: 'A' },
      { kind: 'moment', day: SECOND_OF(10.14), who: 'A', state: 'disabled' },
    ],
    { earnings: [], sales: ['0 A affiliate_inactive'] },
  ],
  [
    'an address that is entered in the referral of a customer is accepted before and after the report',
    { rules: [] },
    [
      { kind: 'report', day: 10, amount: 1_000, link: 'A', visit: 9 },
      { kind: 'moment', day: 10.01, address: true, link: 'A', visit: 9 },
    ],
    { earnings: ['0 A live 200'], answers: ['0 done', '1 done'] },
  ],
  [
    'a referral that the merchant named for a sale of nobody is connected, also if another payment named it before the customer of the sale was known',
    { lastClick: true },
    [
      { kind: 'order', day: 117, known: 'both', amount: 2_500 },
      { kind: 'purchase', day: 78, known: 'both', amount: 0, chargedBefore: 0.001 },
      { kind: 'payment', day: 80, known: 'both', link: 'A', visit: 79, code: 'A', amount: 0 },
      { kind: 'report', day: 78, same: 1, amount: 0, by: 'invoice', known: 'nobody', link: 'A', visit: 79 },
    ],
    { earnings: ['0 A live 500'], flags: [] },
  ],
  [
    'a later sale of a limited referral does not flag the sale of its code, of which it needs only the place',
    { maxCommissions: 1 },
    [
      { kind: 'payment', day: 79, known: 'email', code: 'B', amount: 1_000, tax: 200 },
      { kind: 'payment', day: 129, known: 'email', link: 'A', visit: 109, amount: 0 },
    ],
    { earnings: ['0 B live 160'], flags: [] },
  ],
  [
    'of the referrals of one affiliate, that which was named first is rewarded, also if it becomes known after a later one was rewarded',
    { rules: [{ event: 'lead', pay: { cents: 300 }, hold: 300 }], apart: true },
    [
      { kind: 'trial', day: 22, known: 'both', link: 'A', visit: 21 },
      { kind: 'trial', day: 22, known: 'email', link: 'A', visit: 1 },
      { kind: 'trial', day: 116, known: 'both', link: 'A', visit: 115 },
    ],
    { earnings: ['lead A 1 A live 300'], due: ['lead A 1 A live on day 322'] },
  ],
  [
    'a sale that a person assigns to an affiliate belongs to the referral of the customer, also if that becomes known later',
    { rules: [] },
    [
      { kind: 'report', day: 3, known: 'both', link: 'B', visit: 1, amount: 1_000 },
      { kind: 'renewal', day: 100, known: 'both', amount: 1_000 },
      { kind: 'moment', day: 100.01, of: 1, assign: 'B' },
    ],
    {
      earnings: ['0 B live 200', '1 B live 200'],
      statistics: ['A 0 leads, 0 conversions, ', 'B 1 leads, 1 conversions, USD 2000 400 0 0'],
    },
  ],
  [
    'a sale that a person assigns to the affiliate who earns from it is connected with the affiliate',
    {},
    [
      { kind: 'order', day: 20, known: 'both', link: 'B', visit: 1, amount: 0 },
      { kind: 'payment', day: 29, known: 'both', amount: 2_500 },
      { kind: 'moment', day: 29.01, of: 1, assign: 'B' },
    ],
    { earnings: ['1 B live 500'], flags: [] },
  ],
  [
    'what a person flags stays flagged by the person, also if the service had flagged it before',
    { rules: [] },
    [
      { kind: 'payment', day: 1, known: 'both', link: 'A', visit: 0, amount: 1_000 },
      { kind: 'report', day: 1, known: 'both', link: 'A', visit: 0, amount: 1_000 },
      { kind: 'moment', day: 1.01, of: 1, act: 'suspicious', who: 'A' },
    ],
    { flags: ['1 A live null 200'] },
  ],
  [
    'a payment of an unknown customer keeps the affiliate whom it names when it is decided again, e.g. because a rule changes in its second',
    { rules: [{ pay: 30 }] },
    [
      { kind: 'payment', day: 10.15, known: 'nobody', link: 'A', visit: 9, amount: 1_000 },
      { kind: 'moment', day: SECOND_OF(10.15), rule: 0, becomes: { pay: 60 } },
    ],
    { earnings: ['0 A live 600'] },
  ],
  [
    'a milestone is flagged with the sale that reaches it when its affiliate becomes suspicious in the second of the charge',
    { rules: [{ event: 'milestone', pay: { cents: 700 }, milestone: { metric: 'sales', at: 1 } }] },
    [
      { kind: 'payment', day: 10.15, link: 'A', visit: 9, amount: 1_000 },
      { kind: 'moment', day: SECOND_OF(10.15), who: 'A', state: 'suspicious' },
    ],
    { flags: ['0 A live suspicious_affiliate 200', 'milestone 0 A live suspicious_affiliate 700'] },
  ],
  [
    'a sale and its milestone are not flagged if the charge turns out to have come before its affiliate became suspicious',
    { rules: [{ event: 'milestone', pay: { cents: 700 }, milestone: { metric: 'sales', at: 1 } }] },
    [
      { kind: 'payment', day: 40, link: 'A', visit: 39, amount: 1_000 },
      { kind: 'report', day: 60, same: 0, amount: 1_000, link: 'A', visit: 39 },
      { kind: 'moment', day: 50, who: 'A', state: 'suspicious' },
    ],
    { flags: [] },
  ],
  [
    'a lead is not flagged if it turns out to have been named before its affiliate became suspicious',
    { rules: [{ event: 'lead', pay: { cents: 300 }, hold: 20 }] },
    [
      { kind: 'naming', day: 40, link: 'A', visit: 39 },
      { kind: 'naming', day: 60, link: 'A', visit: 39 },
      { kind: 'moment', day: 50, who: 'A', state: 'suspicious' },
    ],
    { flags: [] },
  ],
  [
    'a sale of nobody has not converted its referral if another affiliate turns out to have the customer',
    {},
    [
      { kind: 'payment', day: 67, link: 'A', visit: 30, amount: 1_000 },
      { kind: 'payment', day: 72, known: 'nobody', link: 'A', visit: 30, amount: 1_000 },
      { kind: 'payment', day: 40, link: 'B', visit: 1, amount: 1_000 },
    ],
    { referrals: ['A 30 lead', 'B 1 converted at 2025-02-10T12:00:00.000Z, and has the customer'] },
  ],
  [
    'a sale of nobody after the expiry earns nothing if a person gives the sale that converted the referral to another affiliate',
    {},
    [
      { kind: 'report', day: 10, known: 'nobody', link: 'A', visit: 9, amount: 1_000 },
      { kind: 'report', day: 80, known: 'nobody', link: 'A', visit: 9, amount: 1_000 },
      { kind: 'moment', day: 249, of: 0, assign: 'B' },
    ],
    { earnings: ['0 B live 200'], referrals: ['A 9 visitor'] },
  ],
  [
    'a sale that a person assigns is connected with the code of the affiliate, also if the code becomes known later',
    { rules: [], apart: true },
    [
      { kind: 'order', day: 100, link: 'A', visit: 30, code: 'A', amount: 2_500 },
      { kind: 'payment', day: 138, known: 'email', link: 'B', visit: 1, opened: 40, amount: 1_000 },
      { kind: 'moment', day: 138.01, of: 1, assign: 'A' },
    ],
    { flags: [] },
  ],
  [
    'a sale is connected by the referral that the merchant named for its customer, also if another customer, who is the same, had it first',
    { rules: [] },
    [
      { kind: 'renewal', day: 20, amount: 1_000 },
      { kind: 'order', day: 108, known: 'email', link: 'A', visit: 1, amount: 1_000 },
      { kind: 'report', day: 4, known: 'own', link: 'A', visit: 1, amount: 1_000 },
    ],
    { earnings: ['0 A live 200', '1 A live 200', '2 A live 200'], flags: [] },
  ],
  [
    'a sale of nobody belongs to the customer of the referral that its payment names, also if a code won it before',
    { apart: true },
    [
      { kind: 'payment', day: 72, link: 'A', visit: 50, amount: 1_000 },
      { kind: 'payment', day: 80, link: 'B', visit: 1, amount: 1_000 },
      { kind: 'purchase', day: 111, known: 'nobody', link: 'B', visit: 1, code: 'B', amount: 1_000 },
    ],
    { earnings: ['0 A live 200', '1 A live 200', '2 A live 200'] },
  ],
  [
    'a sale of nobody from before the visit belongs to the customer of the referral that its payment names',
    { rules: [] },
    [
      { kind: 'report', day: 107, known: 'own', link: 'A', visit: 106, amount: 0 },
      { kind: 'order', day: 104, known: 'nobody', link: 'A', visit: 106, amount: 2_500 },
      { kind: 'report', day: 43, known: 'own', link: 'A', visit: 42, amount: 2_500 },
    ],
    { earnings: ['1 A live 500', '2 A live 500'] },
  ],
  [
    'a sale is connected by the referral that its payment names, also if the customer has been the affiliate’s before',
    { rules: [] },
    [
      { kind: 'order', day: 92, code: 'A', amount: 1_000 },
      { kind: 'purchase', day: 141, link: 'A', visit: 30, amount: 1_000 },
    ],
    { earnings: ['0 A live 200', '1 A live 200'], flags: [] },
  ],
  [
    'a payment is connected by the referral of its checkout, whichever is told first',
    { rules: [], apart: true },
    [
      { kind: 'order', day: 52, link: 'A', visit: 1, amount: 1_000 },
      { kind: 'trial', day: 52, known: 'id', link: 'A', visit: -18, code: 'A' },
      { kind: 'payment', day: 81, link: 'A', visit: 11, amount: 1_000 },
    ],
    { earnings: ['0 A live 200', '2 A live 200'], flags: [] },
  ],
  [
    'lines that a report tells decide about a sale whose refund failed, whichever is told first',
    {
      rules: [
        { product: 'pro', pay: 30 },
        { product: 'free', pay: 'nothing' },
      ],
    },
    [
      { kind: 'purchase', day: 145, code: 'B', amount: 2_500, refunded: 2_500, refundFails: true },
      { kind: 'report', day: 145, same: 0, amount: 2_500, known: 'nobody', lines: [{ product: 'free', cents: 2_500 }] },
    ],
    { earnings: [] },
  ],
  [
    'lines that the provider tells while nothing of a reported sale is left decide about what the failed refund gives back',
    {
      rules: [
        { product: 'pro', pay: 30 },
        { product: 'pro', pay: 5, onTop: true },
      ],
    },
    [
      {
        kind: 'renewal',
        day: 12,
        amount: 1_000,
        lines: [{ product: 'pro', cents: 1_000 }],
        refunded: 1_000,
        refundFails: true,
      },
      { kind: 'report', day: 12, same: 0, amount: 1_000, link: 'B' },
    ],
    { earnings: ['0 B live 300', '0 B live bonus 50'] },
  ],
  [
    'a code that a report tells while nothing of a sale is left decides about what the failed refund gives back',
    { rules: [{ code: 'A', pay: 40 }] },
    [
      { kind: 'renewal', day: 12, link: 'A', amount: 1_000, refunded: 1_000, refundFails: true },
      { kind: 'report', day: 12, same: 0, amount: 1_000, code: 'A' },
    ],
    { earnings: ['0 A live 400'] },
  ],
  [
    'an assignment takes no other sale of its second that comes before the assigned one',
    { rules: [] },
    [
      { kind: 'report', day: 125, code: 'A', amount: 0 },
      { kind: 'report', day: 125, code: 'B', amount: 1_000 },
      { kind: 'moment', day: 125.01, of: 1, assign: 'B' },
    ],
    { earnings: ['1 B live 200'], sales: ['0 A nothing_to_earn', '1 B earns'] },
  ],
  [
    'an assignment belongs to the visit of its affiliate rather than to a code, whichever becomes known first',
    { lastClick: false, codeBeforeLink: false },
    [
      { kind: 'report', day: 20, known: 'both', amount: 1_000 },
      { kind: 'moment', day: 20.01, of: 0, assign: 'B' },
      { kind: 'report', day: 20, known: 'second', code: 'B', amount: 1_000 },
      { kind: 'payment', day: 69, known: 'id', link: 'B', visit: 1, amount: 1_000 },
    ],
    { earnings: ['0 B live 200', '2 B live 200', '3 B live 200'] },
  ],
  [
    'a sale from before the claim is none of the first sales of its referral',
    { codeBeforeLink: true, rules: [{ pay: 'nothing', upTo: 1 }, ...ON_TOP] },
    [
      { kind: 'purchase', day: 74, code: 'A', amount: 1_000 },
      { kind: 'payment', day: 48, amount: 1_000 },
    ],
    { earnings: ['0 A live bonus 100'], sales: ['0 A earns', '1 - before_visit'] },
  ],
  [
    'a sale that moves to the referral of its code is the first sale of that referral',
    { codeBeforeLink: true, rules: [{ pay: 'nothing', upTo: 1 }, ...ON_TOP] },
    [
      { kind: 'purchase', day: 74, code: 'A', amount: 1_000 },
      { kind: 'payment', day: 48, link: 'A', amount: 1_000 },
    ],
    { earnings: ['0 A live bonus 100', '1 A live bonus 100'] },
  ],
  [
    'a code that was redeemed by nobody has no referral of a visit',
    { rules: [] },
    [
      { kind: 'purchase', day: 11, known: 'nobody', link: 'B', visit: 1, code: 'B', amount: 1_000 },
      { kind: 'payment', day: 129, link: 'B', visit: 1, amount: 1_000 },
    ],
    {
      earnings: ['0 B live 200', '1 B live 200'],
      referrals: ['B 1 converted at 2025-01-12T12:00:00.000Z, and has the customer'],
    },
  ],
  [
    'the code that the provider shows for a payment of nobody wins over the one that a report names, whichever is told first',
    { rules: [] },
    [
      { kind: 'purchase', day: 75, known: 'nobody', code: 'A', amount: 1_000 },
      { kind: 'report', day: 75, same: 0, amount: 1_000, known: 'shop', code: 'B' },
    ],
    { earnings: ['0 A live 200'] },
  ],
  [
    'an open dispute holds a commission although a later fact changes its terms and its bonus',
    { rules: [{ code: 'A', pay: 40 }, ...ON_TOP] },
    [{ kind: 'payment', day: 116, code: 'A', amount: 1_000, dispute: { amount: 1_000, end: 'open' } }],
    { flags: ['0 A live bonus dispute 100', '0 A live dispute 400'] },
  ],
  [
    'an expired code that won nothing takes no lead from a code that is redeemed after it',
    { lastClick: true, rules: [{ code: 'A', pay: 10, onTop: true }] },
    [
      { kind: 'report', day: 60, code: 'A', amount: 0 },
      { kind: 'purchase', day: 57, code: 'B', amount: 0 },
      { kind: 'trial', day: 128, code: 'B' },
    ],
    { statistics: ['A 0 leads, 0 conversions, ', 'B 2 leads, 0 conversions, '] },
  ],
  [
    'a sale that a person assigned needs no other proof of its customer, whichever referral of the affiliate has it',
    { rules: [] },
    [
      { kind: 'order', day: 120, known: 'both', link: 'A', visit: 119, amount: 1_000 },
      { kind: 'moment', day: 140, of: 0, assign: 'B' },
      { kind: 'payment', day: 9, known: 'both', link: 'A', visit: 1, code: 'B', amount: 1_000 },
      { kind: 'moment', day: 9.01, of: 2, assign: 'B' },
    ],
    { earnings: ['0 B live 200', '2 B live 200'], flags: [] },
  ],
  [
    'of two rewards for leads that were paid for customers who turn out to be one, the later is taken back when a person says so',
    { payouts: 0.9, rules: [{ event: 'lead', pay: { cents: 300 }, hold: 3 }, ...ON_TOP] },
    [
      { kind: 'purchase', day: 71, link: 'A', visit: 70, amount: 1_000 },
      { kind: 'payment', day: 138, known: 'second id', link: 'A', visit: 137, amount: 1_000 },
    ],
    { earnings: ['0 A live 200', '0 A live bonus 100', '1 A live 200', '1 A live bonus 100', 'lead A 70 A live 300'] },
  ],
  [
    'a referral that converted by a sale that a person assigned stays converted when the customer buys again from another affiliate',
    { apart: true, rules: [] },
    [
      { kind: 'joining', day: 71, known: 'second' },
      { kind: 'report', day: 20, link: 'A', visit: 19, amount: 1_000 },
      { kind: 'payment', day: 31, known: 'nobody', amount: 1_000 },
      { kind: 'report', day: 148, known: 'second', amount: 1_000 },
      { kind: 'renewal', day: 48, known: 'second id', amount: 2_500 },
      { kind: 'moment', day: 68, of: 4, assign: 'B' },
    ],
    {
      earnings: ['1 A live 200', '3 A live 200', '4 B live 500'],
      statistics: ['A 1 leads, 1 conversions, USD 2000 400 0 0', 'B 1 leads, 1 conversions, USD 2500 500 0 0'],
    },
  ],
  [
    'a sale that a person assigns to the affiliate who earns from it connects the customer with the affiliate, for other sales, too',
    { rules: [] },
    [
      { kind: 'order', day: 98, known: 'both', amount: 1_000 },
      { kind: 'purchase', day: 33, known: 'both', link: 'A', visit: 1, amount: 1_000 },
      { kind: 'moment', day: 233, of: 1, assign: 'A' },
    ],
    { earnings: ['0 A live 200', '1 A live 200'], flags: [] },
  ],
];
