/** Random stories about everything that rewards, customers and persons do to sales. Each has a theme, so that related facts meet often. */
import { Random } from '../support/random.ts';
import type { Fact, Known, Product, Setting, StoryRule, Who } from './story-facts.ts';
import { hasInvoice } from './story-facts.ts';

/** Probabilities with which facts of a theme have something. 0 unless stated. */
interface Chances {
  lines: number;
  refunds: number;
  fails: number;
  disputes: number;
  excluded: number;
  codes: number;
  links: number;
  /** A checkout is opened days before it is completed. */
  opened: number;
  /** A fact names the customer otherwise than by id and address. */
  otherNames: number;
  /** A charge of the provider is reported by the merchant, too. */
  repeated: number;
  /** A reported sale is corrected. */
  corrected: number;
  /** A person does something about a sale. */
  acts: number;
  /** A rule, the terms or an affiliate change a day before or after a charge, or in its second. */
  edits: number;
  addresses: number;
}

type Kind = 'trial' | 'naming' | 'lead' | 'joining' | 'purchase' | 'renewal' | 'payment' | 'report';

interface Theme {
  /** Each story has one of these sets of rules. */
  rules: readonly (readonly StoryRule[])[];
  kinds: Partial<Record<Kind, number>>;
  chances: Partial<Chances>;
  setting?: (random: Random) => Partial<Setting>;
  affiliates?: readonly Who[];
  length?: readonly [low: number, high: number];
  acts?: readonly ('void' | 'suspicious' | 'approve' | 'deactivate' | 'due' | 'assign')[];
}

const CHARGES = { purchase: 2, renewal: 1, payment: 2, report: 2 } as const;
const ON_TOP: StoryRule = { pay: 10, onTop: true };
const BY_LINE: readonly StoryRule[] = [
  { product: 'pro', pay: 30 },
  { product: 'free', pay: 'nothing' },
];

const THEMES = {
  codes: {
    rules: [
      [{ code: 'A', pay: 40 }],
      [{ code: 'A', pay: 10, onTop: true }],
      [{ code: 'A', pay: 40 }, { code: 'B', pay: 5, onTop: true }, ON_TOP],
    ],
    kinds: CHARGES,
    chances: { codes: 0.8, links: 0.5, repeated: 0.5, refunds: 0.2 },
    affiliates: ['A', 'A', 'B'],
  },
  lines: {
    rules: [BY_LINE, [...BY_LINE, { product: 'pro', pay: 5, onTop: true }], [{ product: 'free', pay: { cents: 300 } }]],
    kinds: { purchase: 3, renewal: 2, report: 2 },
    chances: { lines: 0.9, links: 0.7, codes: 0.2, repeated: 0.6, refunds: 0.6, fails: 0.2 },
    affiliates: ['A', 'A', 'B'],
  },
  joins: {
    rules: [[], [ON_TOP]],
    kinds: { ...CHARGES, trial: 1, joining: 2, naming: 0.5 },
    chances: { otherNames: 0.7, opened: 0.5, links: 0.7, codes: 0.2, addresses: 0.15, acts: 0.15 },
    setting: () => ({ apart: true }),
    acts: ['assign'],
    length: [2, 5],
  },
  acts: {
    rules: [[ON_TOP], [{ product: 'pro', pay: 10, onTop: true }, ...BY_LINE], [{ code: 'A', pay: 10, onTop: true }]],
    kinds: CHARGES,
    chances: { acts: 0.9, lines: 0.3, links: 0.8, codes: 0.4, refunds: 0.3, repeated: 0.2, disputes: 0.1 },
    affiliates: ['A'],
    acts: ['void', 'suspicious', 'approve', 'deactivate', 'due'],
    length: [1, 3],
  },
  assigned: {
    rules: [[], [ON_TOP]],
    kinds: CHARGES,
    chances: { acts: 0.7, links: 0.7, codes: 0.4, refunds: 0.2, excluded: 0.1, repeated: 0.2 },
    acts: ['assign', 'assign', 'void'],
    length: [1, 3],
  },
  milestones: {
    rules: [
      [{ event: 'milestone', pay: { cents: 5_000 }, milestone: { metric: 'sales', window: 'quarter', at: 2 } }],
      [{ event: 'milestone', pay: { cents: 5_000 }, milestone: { metric: 'sales', every: 1 } }, ...BY_LINE],
      [{ event: 'milestone', pay: { cents: 700 }, milestone: { metric: 'customers', every: 1 } }],
      [{ event: 'milestone', pay: { cents: 700 }, milestone: { metric: 'revenue', at: 2_000 } }, ...BY_LINE],
    ],
    kinds: CHARGES,
    chances: { links: 0.7, codes: 0.3, lines: 0.5, refunds: 0.4, fails: 0.3, otherNames: 0.3, excluded: 0.1, corrected: 0.2 },
    setting: (random) => ({ apart: random.chance(0.5), dueDays: 30 }),
    affiliates: ['A', 'A', 'B'],
    length: [2, 4],
  },
  tiers: {
    rules: [[{ pay: 35, tiered: true }], [{ pay: 5, tiered: true, onTop: true }, ...BY_LINE]],
    kinds: CHARGES,
    chances: { links: 0.7, codes: 0.3, lines: 0.4, refunds: 0.3, otherNames: 0.2, corrected: 0.1 },
    setting: (random) => ({
      live: true,
      apart: random.chance(0.5),
      tier: random.chance(0.5) ? { metric: 'sales', from: 1, window: 'month' } : { metric: 'customers', from: 1, window: 'ever' },
    }),
    affiliates: ['A', 'A', 'B'],
    length: [2, 4],
  },
  caps: {
    rules: [
      [{ pay: 50, cap: { cents: 600, per: 'referral' } }],
      [{ pay: 50, cap: { cents: 600, per: 'affiliate' } }],
      [{ pay: 50, onTop: true, cap: { cents: 600, per: 'referral' } }],
      [{ pay: 50, cap: { cents: 600, per: 'affiliate', window: 'month' } }, ON_TOP],
    ],
    kinds: { ...CHARGES, report: 3, joining: 0.5 },
    chances: { links: 0.8, codes: 0.2, otherNames: 0.4 },
    setting: (random) => ({ apart: random.chance(0.3) }),
    affiliates: ['A', 'A', 'A', 'B'],
    length: [2, 4],
  },
  leads: {
    rules: [
      [{ event: 'lead', pay: { cents: 300 }, hold: 20 }],
      [{ event: 'lead', pay: { cents: 300 }, hold: 300 }, ON_TOP],
      [{ event: 'lead', pay: { cents: 300 }, hold: 3 }],
    ],
    kinds: { lead: 3, trial: 2, naming: 1, report: 2, purchase: 1, payment: 1, joining: 1 },
    chances: { links: 0.9, codes: 0.2, otherNames: 0.3, refunds: 0.3, fails: 0.3, excluded: 0.3, corrected: 0.4, addresses: 0.2 },
    setting: (random) => ({ apart: random.chance(0.5) }),
    affiliates: ['A', 'A', 'B'],
    length: [2, 4],
  },
  limits: {
    rules: [
      [
        { pay: 'nothing', upTo: 1 },
        { pay: 5, onTop: true },
      ],
      [{ product: 'free', pay: 'nothing' }, ON_TOP],
      [{ pay: 'nothing', customer: 'new' }],
    ],
    kinds: CHARGES,
    chances: { links: 0.8, codes: 0.2, lines: 0.4, refunds: 0.3, otherNames: 0.2, corrected: 0.2 },
    setting: (random) => ({ maxCommissions: random.chance(0.7) ? 1 : 2 }),
    affiliates: ['A', 'A', 'B'],
    length: [2, 4],
  },
  edits: {
    rules: [[{ pay: 30 }], [ON_TOP, { customer: 'new', pay: 50 }]],
    kinds: CHARGES,
    chances: { edits: 0.9, links: 0.8, codes: 0.2, refunds: 0.1 },
    affiliates: ['A', 'A', 'B'],
    length: [1, 3],
  },
  reports: {
    rules: [[], BY_LINE],
    kinds: { ...CHARGES, trial: 1 },
    chances: { repeated: 0.9, lines: 0.4, links: 0.4, codes: 0.3, otherNames: 0.3, addresses: 0.3, refunds: 0.2 },
    length: [1, 3],
  },
  paid: {
    rules: [
      [ON_TOP],
      [{ pay: 50, cap: { cents: 600, per: 'sale' } }, ON_TOP],
      [{ event: 'milestone', pay: { cents: 700 }, milestone: { metric: 'sales', every: 1 } }],
      [{ event: 'lead', pay: { cents: 300 }, hold: 3 }, ON_TOP],
    ],
    kinds: { ...CHARGES, lead: 1 },
    chances: { links: 0.8, codes: 0.3, refunds: 0.2, otherNames: 0.2, disputes: 0.1 },
    setting: () => ({ payouts: 0.5 }),
    length: [2, 4],
  },
  everything: {
    rules: [
      [{ code: 'A', pay: 40, cap: { cents: 600, per: 'sale' } }, ON_TOP, ...BY_LINE],
      [
        { event: 'lead', pay: { cents: 300 }, hold: 20 },
        { event: 'milestone', pay: { cents: 700 }, milestone: { metric: 'sales', every: 2 } },
        { pay: 15, tiered: true },
        ON_TOP,
      ],
    ],
    kinds: { ...CHARGES, lead: 1, trial: 1, naming: 0.5, joining: 0.5 },
    chances: {
      lines: 0.3,
      refunds: 0.3,
      fails: 0.2,
      disputes: 0.1,
      excluded: 0.1,
      codes: 0.3,
      links: 0.6,
      opened: 0.2,
      otherNames: 0.3,
      repeated: 0.2,
      corrected: 0.1,
      edits: 0.1,
      addresses: 0.05,
    },
    setting: (random) => ({
      live: true,
      apart: random.chance(0.5),
      maxCommissions: random.chance(0.3) ? 1 : null,
      tier: { metric: 'sales', from: 1, window: 'month' },
      dueDays: 30,
    }),
    length: [2, 5],
  },
} as const satisfies Record<string, Theme>;

export type ThemeName = keyof typeof THEMES;
export const THEME_NAMES = Object.keys(THEMES) as ThemeName[];

/** Creates a random story of a theme. */
export function themedStory(seed: number, name: ThemeName) {
  const random = new Random(seed);
  const theme: Theme = THEMES[name];
  const setting: Setting = {
    maxCommissions: null,
    live: random.chance(0.9),
    lastClick: random.chance(0.1),
    codeBeforeLink: random.chance(0.2),
    sweeps: 0.3,
    rules: random.pick(theme.rules)!,
    ...theme.setting?.(random),
  };
  const story: Fact[] = [];
  const [low, high] = theme.length ?? [1, 4];
  for (const length = random.int(low, high); story.length < length;) addFact(story, theme, random);
  return { name, story, setting, random: () => random.next() };
}

const KNOWN = ['both', 'id', 'email', 'second', 'second id', 'own', 'nobody'] as const satisfies Known[];

/** Adds a random fact to a story, with what follows from it. */
function addFact(story: Fact[], { kinds, chances, affiliates = ['A', 'B'], acts = [] }: Theme, random: Random): void {
  const has = (name: keyof Chances) => random.chance(chances[name] ?? 0);
  const before = random.pick(story);
  // A change has all charges of the account in its second decided again, so stories with changes have seconds of their own.
  const second = chances.edits === undefined ? 0 : random.int(0, 86_399) / 86_400;
  const day = before !== undefined && random.chance(0.2) ? before.day : random.int(1, 150) + second;
  const kind = random.weighted(kinds as Record<Kind, number>);
  const link = kind === 'lead' || has('links') ? random.pick(affiliates) : undefined;
  // Visits are shared, so that facts name the same referral, or two referrals of an affiliate.
  const visit = random.pick([1, 1, 30, day - 1, day - 70].filter((each) => each < day)) ?? day - 1;
  const visited = link === undefined ? {} : { link, visit };
  const code: { code?: Who } = has('codes') ? { code: random.pick(affiliates)! } : {};
  const known = has('otherNames') ? random.pick(KNOWN)! : 'both';
  const opened = has('opened') ? { opened: random.pick([1, 10, 40])! } : {};
  if (kind === 'lead') return void story.push({ kind, day, ...visited });
  if (kind === 'joining') return void story.push({ kind, day, known: random.pick(['both', 'second'] as const)! });
  if (kind === 'naming') return void story.push({ kind, day, ...visited });
  if (kind === 'trial') return void story.push({ kind, day, known, ...visited, ...code, ...opened });
  const amount = random.pick([0, 1_000, 1_000, 2_500])!;
  const lines = has('lines') ? { lines: linesOf(amount, random) } : {};
  const refunded = amount > 0 && has('refunds') ? random.pick([amount, amount / 2])! : 0;
  const refundable = refunded === 0 ? undefined : random.pick((lines.lines ?? []).filter(({ cents }) => cents >= refunded));
  const money = {
    amount,
    ...(kind === 'payment' ? {} : lines),
    ...(refunded > 0 && { refunded, refundFails: has('fails') }),
    ...(refundable !== undefined && random.chance(0.8) && { refundedProduct: refundable.product }),
    ...(has('excluded') && { excluded: random.pick([true, 'checkout'] as const)! }),
    ...(amount > 0 && has('disputes') && { dispute: { amount, end: random.pick(['open', 'won', 'lost'] as const)! } }),
  };
  const place = story.length;
  if (kind === 'report') story.push({ kind, day, known, ...visited, ...code, ...money, excluded: false });
  else if (kind === 'payment') story.push({ kind, day, known, ...visited, ...code, ...opened, ...money });
  else {
    const told = {
      ...money,
      ...(random.chance(0.3) && { chargedBefore: random.pick([0, 0.001, 5])! }),
      ...(random.chance(0.3) && { isUnlisted: true }),
    };
    if (kind === 'purchase') story.push({ kind, day, known, ...visited, ...code, ...opened, ...told });
    else
      story.push({
        kind,
        day,
        known: known === 'nobody' ? 'id' : known,
        ...told,
        ...(told.excluded !== undefined && { excluded: true }),
        ...(code.code !== undefined && { redeemed: code.code }),
      });
  }
  const sold = story[place]!;
  if (kind !== 'report' && has('repeated')) {
    const by = random.pick([undefined, 'intent', hasInvoice(sold) ? 'invoice' : undefined] as const);
    const named = random.chance(0.5) ? { link: random.pick(affiliates)!, visit } : {};
    const coded = random.chance(0.4) ? { code: random.pick(affiliates)! } : {};
    const itemized = random.chance(chances.lines ?? 0) && random.chance(0.5) ? { lines: linesOf(amount, random) } : {};
    const names = { known: random.pick<Known>(['both', 'both', 'shop', 'nobody'])!, ...named, ...coded, ...itemized };
    story.push({ kind: 'report', day: day + random.pick([0, 0, 0.01, 2])!, same: place, amount, ...(by && { by }), ...names });
  }
  if (kind === 'report' && has('corrected')) {
    // A correction may leave less of a product than what was refunded of it, and whichever comes second is then refused.
    const { refundedProduct: _, ...rest } = sold as Extract<Fact, { kind: 'report' }>;
    story[place] = rest as Fact;
    story.push({
      kind: 'moment',
      day: day + random.pick([0.01, 10, 60])!,
      of: place,
      amount: random.pick([refunded, 2_500, 4_000])!,
    });
  }
  // What has been refunded in full cannot be assigned, and a person does not always know of the refund.
  const act = has('acts') ? random.pick(acts)! : null;
  if (act !== null && !(act === 'assign' && amount === refunded)) {
    const moment = { kind: 'moment', day: day + random.pick([0.01, 20, 200])!, of: place } as const;
    if (act === 'assign') story.push({ ...moment, assign: random.pick(affiliates)! });
    else story.push({ ...moment, act, who: link ?? code.code ?? affiliates[0]!, onTop: random.chance(0.15) });
  }
  if (has('edits')) story.push(editAt(day + random.pick([-1, 0, random.next() / 86_400, 1])!, affiliates, random));
  if (has('addresses') && link !== undefined)
    story.push({ kind: 'moment', day: day + random.pick([0.01, -0.5, 20])!, ...visited, address: true });
}

function linesOf(amount: number, random: Random): { product: Product; cents: number }[] {
  const pro = random.pick([0, amount / 2, amount])!;
  const lines = [
    { product: 'pro' as const, cents: pro },
    { product: 'free' as const, cents: amount - pro },
  ];
  return amount === 0 ? lines : lines.filter(({ cents }) => cents > 0);
}

function editAt(day: number, affiliates: readonly Who[], random: Random): Fact {
  const edit = random.pick([
    { rule: 0, becomes: { pay: 60 } },
    { rule: 0, becomes: 'ended' },
    { terms: { commission_percent: 5 } },
    { terms: { max_commissions: 1 } },
    { who: random.pick(affiliates)!, state: 'disabled' },
    { who: random.pick(affiliates)!, state: 'suspicious' },
  ] as const)!;
  return { kind: 'moment', day, ...edit };
}
