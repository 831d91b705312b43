import type { Fact, Setting } from './story-facts.ts';

/** Stories that each show one rule, with their earnings. The earnings must be the same in every order of a story's events. */
export const ORDINARY_STORIES: [rule: string, story: Fact[], earnings: string[]][] = [
  [
    'a link wins over a code on one purchase',
    [{ kind: 'purchase', day: 10, amount: 1_000, link: 'A', code: 'B' }],
    ['0 A test 200'],
  ],
  [
    'a code at the checkout of a trial attributes the purchase that follows',
    [
      { kind: 'trial', day: 10, code: 'B' },
      { kind: 'renewal', day: 24, amount: 1_000 },
    ],
    ['1 B test 200'],
  ],
  [
    'a referral expires between two charges only if it has not converted',
    [
      { kind: 'purchase', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 80, amount: 2_000 },
    ],
    ['0 A test 200', '1 A test 400'],
  ],
  [
    'an expired trial gives way to another affiliate’s code',
    [
      { kind: 'trial', day: 1, link: 'A' },
      { kind: 'purchase', day: 80, amount: 1_000, code: 'B' },
    ],
    ['1 B test 200'],
  ],
  [
    'a charge from before the visit earns nothing',
    [
      { kind: 'renewal', day: 5, amount: 1_000 },
      { kind: 'purchase', day: 10, amount: 2_000, link: 'A', visit: 8 },
    ],
    ['1 A test 400'],
  ],
  [
    'an invoice of nothing converts nobody',
    [
      { kind: 'purchase', day: 10, amount: 0, link: 'A' },
      { kind: 'purchase', day: 100, amount: 1_000, link: 'B' },
    ],
    ['1 B test 200'],
  ],
  [
    'a partial refund counts in full, whenever it is told',
    [{ kind: 'purchase', day: 10, amount: 1_000, refunded: 400, link: 'A' }],
    ['0 A test 120'],
  ],
  [
    'a customer whom the provider knows under two ids stays bound',
    [
      { kind: 'purchase', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 2_000, known: 'second id' },
      { kind: 'payment', day: 90, amount: 3_000, link: 'B', known: 'second' },
    ],
    ['0 A test 200', '1 A test 400', '2 A test 600'],
  ],
  [
    'a referral in the metadata of a customer earns from later charges only',
    [
      { kind: 'renewal', day: 10, amount: 1_000 },
      { kind: 'naming', day: 20, link: 'A', visit: 8 },
      { kind: 'renewal', day: 30, amount: 2_000 },
    ],
    ['2 A test 400'],
  ],
  [
    'an excluded charge earns nothing and converts nobody',
    [
      { kind: 'payment', day: 10, amount: 1_000, excluded: true, link: 'A' },
      { kind: 'renewal', day: 20, amount: 2_000 },
      { kind: 'purchase', day: 120, amount: 3_000, excluded: true, link: 'B' },
      { kind: 'renewal', day: 121, amount: 5_000 },
    ],
    ['1 A test 400', '3 A test 1000'],
  ],
  [
    'a part of a charge that was not captured is no refund, whenever it is told',
    [{ kind: 'payment', day: 10, amount: 1_000, released: 2_500, refunded: 500, link: 'A' }],
    ['0 A test 100'],
  ],
  [
    'a credit note tells the tax of a refund, whenever it is told',
    [{ kind: 'purchase', day: 10, amount: 1_000, tax: 200, refunded: 400, creditNoteTax: 0, link: 'A' }],
    ['0 A test 80'],
  ],
];

/** More stories that each show one rule. These need certain settings of the merchant. */
export const STORIES_OF_A_SETTING: [rule: string, setting: Setting, story: Fact[], earnings: string[]][] = [
  [
    'a reported sale without a customer that is refunded in full leaves its place',
    { maxCommissions: 1 },
    [
      { kind: 'report', day: 10, amount: 1_000, refunded: 1_000, link: 'A', visit: 9, known: 'nobody' },
      { kind: 'report', day: 40, amount: 2_500, link: 'A', visit: 9, known: 'nobody' },
    ],
    ['1 A live 500'],
  ],
  [
    'a referral that converted in time goes on earning from sales without a customer',
    { maxCommissions: null },
    [
      { kind: 'report', day: 10, amount: 1_000, link: 'A', visit: 9, known: 'nobody' },
      { kind: 'report', day: 80, amount: 2_500, link: 'A', visit: 9, known: 'nobody' },
    ],
    ['0 A live 200', '1 A live 500'],
  ],
  [
    'a sale without a customer belongs to the customer whom its referral has',
    { maxCommissions: null },
    [
      { kind: 'purchase', day: 10, amount: 1_000, code: 'B' },
      { kind: 'report', day: 30, amount: 2_500, link: 'A', visit: 20, known: 'nobody' },
      { kind: 'purchase', day: 40, amount: 1_000, link: 'A', visit: 20 },
    ],
    ['0 B test 200', '1 A live 500', '2 B test 200'],
  ],
  [
    'a live sale without a customer converts its referral for live sales only',
    { maxCommissions: null },
    [
      { kind: 'report', day: 30, amount: 2_500, link: 'A', visit: 20, known: 'nobody' },
      { kind: 'purchase', day: 90, amount: 1_000, link: 'A', visit: 20 },
    ],
    ['0 A live 500'],
  ],
  [
    'a reported sale that turns out to be a test payment earns in test mode',
    { maxCommissions: null, payouts: 0.5 },
    [
      { kind: 'payment', day: 10, amount: 1_000, link: 'A', visit: 9 },
      { kind: 'report', day: 10, amount: 1_000, same: 0 },
    ],
    ['0 A test 200'],
  ],
  [
    'payouts that are paid and returned meanwhile change nothing for good',
    { maxCommissions: 1, live: true, payouts: 0.6 },
    [
      { kind: 'payment', day: 10, amount: 1_000, link: 'A', visit: 9, refunded: 500 },
      { kind: 'report', day: 10, amount: 1_000, same: 0, link: 'B', visit: 20 },
      { kind: 'purchase', day: 5, amount: 2_500, code: 'B', refunded: 2_500 },
    ],
    ['0 B live 100'],
  ],
  [
    'a code that was redeemed with a charge ends with the days after the charge, also if the report of the charge came first and had another time',
    { maxCommissions: null, live: true, codeBeforeLink: true },
    [
      { kind: 'renewal', day: 25, amount: 0, chargedBefore: 0 },
      { kind: 'report', day: 25.01, same: 0, amount: 0, by: 'invoice', code: 'B' },
      { kind: 'purchase', day: 85, amount: 1_000, link: 'A', visit: 30 },
    ],
    ['2 A live 200'],
  ],
  ...[1_000, 2_000].map((lost): [string, Setting, Fact[], string[]] => [
    `a dispute that is lost for ${lost} takes back what a failed refund has given back to a suspicious affiliate, and holds no more than what is left`,
    { maxCommissions: null, live: true, history: 'suspicious' },
    [
      {
        kind: 'purchase',
        day: 67,
        link: 'A',
        visit: 66,
        amount: 2_000,
        refunded: 2_000,
        refundFails: true,
        dispute: { amount: lost, end: 'lost' },
      },
    ],
    lost === 2_000 ? [] : ['0 A live 200'],
  ]),
];

/** Stories with an order of their events in which the outcome once differed. */
export const ORDERS_THAT_DIFFERED: [rule: string, setting: Setting, story: Fact[], order: number[], earnings: string[]][] = [
  [
    'a payment whose report names only the invoice earns once, whatever is told of it after charge and invoice have met',
    { maxCommissions: null, live: true },
    [
      { kind: 'purchase', day: 11, known: 'email', code: 'B', amount: 1_000, chargedBefore: 0, isUnlisted: true },
      { kind: 'report', day: 11.01, same: 0, amount: 1_000, by: 'invoice', known: 'shop' },
    ],
    [3, 4, 1, 2, 0],
    ['0 B live 200'],
  ],
  [
    'a lead whose customer became that of another affiliate before its reward fell due earns nothing, whenever its naming becomes known',
    { maxCommissions: null, live: true, apart: true, rules: [{ event: 'lead', pay: { cents: 300 }, hold: 300 }] },
    [
      { kind: 'naming', day: 53, link: 'A', visit: 1 },
      { kind: 'lead', day: 100, link: 'A', visit: 30 },
      { kind: 'lead', day: 119, link: 'B', visit: 118 },
      { kind: 'lead', day: 100, link: 'B', visit: 30 },
    ],
    [3, 2, 1, 0],
    [],
  ],
  [
    'the money that a failed refund gives back is not flagged after the sale has moved to another affiliate',
    { maxCommissions: 1, codeBeforeLink: true },
    [
      { kind: 'naming', day: 31, known: 'both', link: 'B', visit: 30, code: 'B' },
      {
        kind: 'payment',
        day: 90,
        known: 'both',
        link: 'A',
        visit: 70,
        code: 'A',
        amount: 1_000,
        refunded: 1_000,
        refundFails: true,
      },
      { kind: 'lead', day: 39, link: 'B', visit: 41 },
    ],
    [3, 2, 4, 0, 5, 1],
    ['1 A test 200'],
  ],
  [
    'the money that a failed refund gives back has the flags of its commission',
    { maxCommissions: null, codeBeforeLink: true, history: 'paused' },
    [
      { kind: 'payment', day: 144, known: 'both', amount: 0 },
      {
        kind: 'payment',
        day: 144,
        known: 'second',
        link: 'B',
        visit: 74,
        code: 'B',
        amount: 1_000,
        released: 500,
        refunded: 1_000,
        refundFails: true,
        creditNoteTax: 100,
      },
      { kind: 'payment', day: 116, known: 'id', code: 'B', amount: 1_000 },
    ],
    [7, 3, 9, 5, 2, 6, 8, 1, 4, 0],
    ['1 B test 100', '2 B test 100'],
  ],
  [
    'a referral comes before the one that continued it for a customer who turned out to be the same',
    { maxCommissions: 2, live: true },
    [
      { kind: 'purchase', day: 127, known: 'email', link: 'B', visit: 107, amount: 2_500, tax: 500 },
      { kind: 'purchase', day: 127, known: 'id', link: 'B', visit: 107, code: 'B', amount: 2_500, excluded: true },
    ],
    [4, 3, 2, 1, 0],
    ['0 B live 400'],
  ],
  [
    'a sale is connected by its own code, also if an equal code of a sale of the same second won',
    { maxCommissions: null, live: true },
    [
      { kind: 'purchase', day: 48, known: 'both', link: 'A', visit: 50, off: [80, null], amount: 2_500, isUnlisted: true },
      { kind: 'purchase', day: 129, known: 'second id', code: 'A', amount: 0 },
      { kind: 'purchase', day: 129, known: 'id', link: 'A', visit: 59, code: 'A', amount: 2_500, tax: 500, isUnlisted: true },
      { kind: 'lead', day: 120, link: 'A', visit: 119 },
    ],
    [2, 8, 7, 6, 0, 4, 1, 5, 3],
    ['2 A live 400'],
  ],
  [
    'a sale whose commission of nothing a refund has voided earns again when an earlier sale shows that it is not the first',
    {
      maxCommissions: 1,
      live: true,
      rules: [
        { pay: 'nothing', upTo: 1 },
        { pay: 5, onTop: true },
      ],
    },
    [
      { kind: 'payment', day: 39, known: 'own', link: 'B', visit: 1, amount: 2_500 },
      { kind: 'report', day: 61, known: 'both', code: 'A', amount: 0 },
      {
        kind: 'renewal',
        day: 64,
        known: 'both',
        amount: 2_500,
        lines: [{ product: 'pro', cents: 2_500 }],
        refunded: 1_250,
        refundedProduct: 'pro',
      },
      { kind: 'renewal', day: 148, known: 'both', amount: 1_000, refunded: 1_000, redeemed: 'A' },
    ],
    [2, 8, 6, 3, 0, 1, 4, 7, 5],
    ['0 B live bonus 125', '2 B live 250', '2 B live bonus 63'],
  ],
  [
    'a sale is connected by the id that paid when the code of its second was redeemed, whenever that id becomes known',
    { maxCommissions: null, live: true },
    [
      { kind: 'renewal', day: 90, amount: 1_000, redeemed: 'A' },
      { kind: 'report', day: 90, same: 0, amount: 1_000, known: 'shop', link: 'A', visit: 20, code: 'A' },
      { kind: 'payment', day: 90, amount: 1_000, code: 'B' },
    ],
    [4, 3, 2, 1, 0],
    ['0 A live 200', '2 A live 200'],
  ],
  [
    'a later sale is connected by the id that paid when the code was reported, also if the report comes first and knows nobody',
    { maxCommissions: null, live: true },
    [
      { kind: 'renewal', day: 131, amount: 1_000 },
      { kind: 'renewal', day: 97, amount: 1_000 },
      { kind: 'report', day: 97.01, same: 1, amount: 1_000, by: 'invoice', known: 'nobody', code: 'A' },
    ],
    [2, 1, 0],
    ['0 A live 200', '1 A live 200'],
  ],
  [
    'of equal codes that two identities redeemed in the same second, that of the first charge keeps the customer',
    { maxCommissions: 1, live: true, apart: true },
    [
      { kind: 'purchase', day: 10, amount: 1_000, code: 'A' },
      { kind: 'purchase', day: 10, known: 'second id', amount: 1_000, code: 'A', refunded: 1_000 },
      { kind: 'joining', day: 20, known: 'second' },
      { kind: 'renewal', day: 30, amount: 1_000 },
    ],
    [3, 2, 1, 0, 4, 5, 6],
    ['0 A live 200'],
  ],
  [
    'a referral whose only sale, of nobody, a person gave to another affiliate is a visitor',
    { maxCommissions: null, live: true, rules: [] },
    [
      { kind: 'purchase', day: 49, known: 'nobody', link: 'B', visit: 48, code: 'B', amount: 2_500 },
      { kind: 'moment', day: 249, of: 0, assign: 'A' },
    ],
    [2, 1, 0],
    ['0 A live 500'],
  ],
  [
    'a code of a sale of nobody that a person gave to another affiliate has not converted',
    { maxCommissions: null, live: true, rules: [] },
    [
      { kind: 'purchase', day: 49, known: 'nobody', code: 'B', amount: 2_500 },
      { kind: 'moment', day: 249, of: 0, assign: 'A' },
    ],
    [2, 1, 0],
    ['0 A live 500'],
  ],
  [
    'a reported sale is a possible duplicate of an order whose commission a person has voided, also if the report comes later',
    { maxCommissions: null, live: true },
    [
      { kind: 'report', day: 133, amount: 1_000, code: 'B' },
      { kind: 'order', day: 133, link: 'A', visit: 132, amount: 1_000 },
      { kind: 'moment', day: 133.01, of: 1, act: 'void', who: 'A' },
    ],
    [2, 1, 0],
    ['0 A live 200'],
  ],
  [
    'a sale that only the address of its referral gave a customer goes to the customer whom the merchant names',
    { maxCommissions: null, live: true, rules: [] },
    [
      { kind: 'purchase', day: 75, known: 'nobody', link: 'A', visit: 5, amount: 1_000 },
      { kind: 'moment', day: 75.01, link: 'A', visit: 5, address: true },
      { kind: 'report', day: 75, same: 0, known: 'shop', amount: 1_000 },
    ],
    [4, 2, 3, 1, 0],
    [],
  ],
  [
    'a sale of which a refund leaves only what earns nothing takes no place under max_commissions from later sales',
    {
      maxCommissions: 1,
      live: true,
      rules: [
        { product: 'free', pay: 'nothing' },
        { pay: 10, onTop: true },
      ],
    },
    [
      {
        kind: 'purchase',
        day: 27,
        amount: 1_000,
        lines: [
          { product: 'pro', cents: 500 },
          { product: 'free', cents: 500 },
        ],
        refunded: 500,
        refundedProduct: 'pro',
      },
      { kind: 'purchase', day: 135, amount: 2_500 },
      { kind: 'payment', day: 27, code: 'A', amount: 2_500 },
    ],
    [3, 6, 2, 7, 5, 0, 1, 4],
    ['0 A live bonus 50', '2 A live 500', '2 A live bonus 250'],
  ],
  [
    'a visit that three customers named who turn out to be one is one lead, in every order',
    { maxCommissions: null, live: true, rules: [] },
    [
      { kind: 'report', day: 1, known: 'second id', link: 'A', visit: -69, code: 'B', amount: 1_000 },
      { kind: 'payment', day: 1, link: 'A', visit: -69, amount: 1_000, refunded: 1_000, refundFails: false },
      { kind: 'report', day: 1.01, same: 1, amount: 1_000, known: 'shop', link: 'A', visit: -69, code: 'A' },
    ],
    [1, 4, 0, 6, 5, 3, 2],
    ['0 A live 200'],
  ],
  [
    'an assignment starts a referral of its own if the one of the affiliate was named for later charges only, whichever is known first',
    { maxCommissions: null, live: true, apart: true, rules: [] },
    [
      { kind: 'renewal', day: 40, known: 'id', amount: 1_000 },
      { kind: 'moment', day: 240, of: 0, assign: 'B' },
      { kind: 'joining', day: 65, known: 'both' },
      { kind: 'naming', day: 118, link: 'B', visit: 1 },
    ],
    [3, 2, 1, 0],
    ['0 B live 200'],
  ],
  [
    'a sale of nobody that turns out to be of another customer does not convert the referral of the customer who named it, too',
    { maxCommissions: null, live: true },
    [
      { kind: 'report', day: 90, known: 'both', amount: 2_500 },
      { kind: 'purchase', day: 26, known: 'nobody', link: 'B', visit: 1, amount: 2_500 },
      { kind: 'report', day: 28, same: 1, amount: 2_500, known: 'shop' },
      { kind: 'moment', day: 26.01, link: 'B', visit: 1, address: true },
    ],
    [0, 1, 2, 3, 4, 5],
    ['1 B live 500'],
  ],
  [
    'a sale of nobody that names a referral makes the claim of its customer as early as the visit, whenever the customer becomes known',
    { maxCommissions: null, live: true, codeBeforeLink: true, apart: true },
    [
      { kind: 'naming', day: 96, link: 'A', visit: 30 },
      { kind: 'joining', day: 15, known: 'both' },
      { kind: 'payment', day: 96, known: 'id', amount: 0 },
      { kind: 'purchase', day: 149, known: 'nobody', link: 'A', visit: 30, amount: 1_000 },
      { kind: 'order', day: 100, known: 'email', link: 'B', visit: 30, amount: 1_000 },
    ],
    [6, 5, 4, 3, 2, 1, 0],
    [],
  ],
  [
    'a referral that an assignment started for a sale of nobody gives way to the one of its customer, whenever that becomes known',
    { maxCommissions: null, live: true, rules: [{ pay: 10, onTop: true }], apart: true },
    [
      { kind: 'payment', day: 135, known: 'email', link: 'A', visit: 30, amount: 1_000 },
      { kind: 'moment', day: 135.01, link: 'A', visit: 30, address: true },
      { kind: 'joining', day: 102, known: 'second' },
      { kind: 'payment', day: 81, known: 'nobody', link: 'B', visit: 30, code: 'A', amount: 1_000 },
      { kind: 'moment', day: 281, of: 3, assign: 'B' },
      { kind: 'moment', day: 80.5, link: 'B', visit: 30, address: true },
    ],
    [7, 6, 5, 4, 3, 2, 1, 0],
    ['0 B live 200', '0 B live bonus 100', '3 B live 200', '3 B live bonus 100'],
  ],
  [
    'an assignment does not use a visit that was named after the charge, whenever the one that was named with it becomes known',
    { maxCommissions: null, live: true },
    [
      { kind: 'purchase', day: 101, known: 'both', link: 'A', visit: 31, code: 'B', amount: 2_500 },
      { kind: 'payment', day: 119, known: 'both', code: 'A', amount: 1_000 },
      { kind: 'payment', day: 49, known: 'both', link: 'A', visit: 48, amount: 2_500 },
      { kind: 'moment', day: 249, of: 2, assign: 'A' },
    ],
    [6, 5, 4, 3, 2, 1, 0],
    ['0 A live 500', '1 A live 200', '2 A live 500'],
  ],
  [
    'a referral that the merchant names proves the lead of its visit, whenever two customers who named it turn out to be one',
    { maxCommissions: null, live: true, rules: [{ event: 'lead', pay: { cents: 300 }, hold: 20 }], apart: true },
    [
      { kind: 'joining', day: 32, known: 'both' },
      { kind: 'lead', day: 12, link: 'A', visit: 1 },
      { kind: 'report', day: 43, known: 'id', link: 'A', visit: 1, amount: 1_000 },
    ],
    [2, 1, 0],
    ['2 A live 200', 'lead A 1 A live 300'],
  ],
];
