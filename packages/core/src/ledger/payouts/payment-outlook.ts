import type { PayoutTerms } from '../../identity/sessions/payout-terms.ts';
import { amountIn, dayIn, inLanguage, listIn } from '../../platform/mail/in-language.ts';
import { inEachLanguage, type Language, render, type Text, type Texts } from '../../platform/texts/texts.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import type { AttemptState } from './payout-attempt.entity.ts';
import { OUTLOOK_OBSTACLES, type PaymentOutlook, type PlainPayout } from './payout.schema.ts';

export const OUTLOOK_TEXTS = {
  open: {
    payable: {
      en: '{amount} can be paid with the next payment.',
      de: '{amount} können mit der nächsten Zahlung gezahlt werden.',
    },
    waiting: { en: '{amount} cannot be paid yet.', de: '{amount} können noch nicht gezahlt werden.' },
    owed: { en: '{amount} is still to be paid.', de: '{amount} stehen noch aus.' },
    by: { en: 'The payment goes {methods}.', de: 'Die Zahlung geht {methods}.' },
  },
  obstacles: {
    negative: {
      en: '{amount} more was taken back by refunds than was earned. The next commissions make up for it.',
      de: 'Durch Erstattungen wurden {amount} mehr zurückgenommen als verdient. Die nächsten Provisionen gleichen das aus.',
    },
    empty: { en: 'Nothing is due at the moment.', de: 'Zurzeit ist nichts fällig.' },
    affiliate_inactive: {
      en: 'The membership in the program has ended, so the program pays by hand.',
      de: 'Die Teilnahme am Programm ist beendet. Deshalb zahlt das Programm von Hand.',
    },
    on_hold: {
      en: 'The program is reviewing the account, and pays after that.',
      de: 'Das Programm prüft das Konto und zahlt danach.',
    },
    no_address: {
      en: 'There is no address to pay to: enter the payout details.',
      de: 'Es fehlt eine Adresse für die Zahlung: Auszahlungsdaten eingeben.',
    },
    below_minimum: { en: 'Payouts start at {minimum}.', de: 'Ausgezahlt wird ab {minimum}.' },
    details_changed: {
      en: 'The payout details have changed, so payments wait until {until}.',
      de: 'Die Auszahlungsdaten wurden geändert. Deshalb warten Zahlungen bis zum {until}.',
    },
    moving_in: {
      en: 'The program is moving to this service. Until then, it pays where it has paid so far.',
      de: 'Das Programm zieht hierher um. Bis dahin zahlt es dort, wo es bisher gezahlt hat.',
    },
    screening: {
      en: 'The program checks the details of the account before it pays.',
      de: 'Das Programm prüft die Angaben zum Konto, bevor es zahlt.',
    },
  },
  more: {
    preparing: { en: '{amount} is being paid.', de: '{amount} werden gerade gezahlt.' },
    paused: {
      en: '{amount} is ready, and waits because the program has paused payments {method}.',
      de: '{amount} liegen bereit und warten, weil das Programm Zahlungen {method} angehalten hat.',
    },
    sent: { en: '{amount} is on its way {method}.', de: '{amount} sind unterwegs {method}.' },
    unclaimed: {
      en: '{amount} was sent {method}, and waits there to be accepted.',
      de: '{amount} wurden {method} gesendet und müssen dort noch angenommen werden.',
    },
    unclaimedUntil: {
      en: '{amount} was sent {method}, and waits there to be accepted until {until}.',
      de: '{amount} wurden {method} gesendet und müssen dort bis zum {until} angenommen werden.',
    },
    pending: {
      en: '{amount} more is not due yet, the next part on {date}.',
      de: 'Weitere {amount} sind noch nicht fällig, der nächste Teil am {date}.',
    },
    in_review: { en: '{amount} is being reviewed by the program.', de: '{amount} werden vom Programm noch geprüft.' },
  },
  terms: {
    paused: {
      en: 'The program has paused these payments for now.',
      de: 'Das Programm hat diese Zahlungen zurzeit angehalten.',
    },
    minimum: { en: 'Payments start at {minimum}.', de: 'Gezahlt wird ab {minimum}.' },
    fee: { en: 'A fee of {fee} is taken from each payment.', de: 'Von jeder Zahlung geht eine Gebühr von {fee} ab.' },
    feeOf: {
      en: 'A fee of {fee} is taken from the payment, so that {net} arrive.',
      de: 'Von der Zahlung geht eine Gebühr von {fee} ab, sodass {net} ankommen.',
    },
    quoted: {
      en: 'The fee of the service is taken from each payment.',
      de: 'Von jeder Zahlung geht die Gebühr des Dienstes ab.',
    },
    quotedElsewhere: {
      en: 'In other currencies, the fee of the service is taken from each payment.',
      de: 'In anderen Währungen geht von jeder Zahlung die Gebühr des Dienstes ab.',
    },
  },
  methods: { unnamed: { en: 'by the program', de: 'durch das Programm' } },
  paid: {
    arrives: { en: 'The money usually arrives {time}.', de: 'Das Geld kommt meist {time} an.' },
    made: { en: 'Paid {method} on {date}.', de: 'Am {date} {method} gezahlt.' },
    madeWithReference: {
      en: 'Paid {method} on {date}, with the reference {reference}.',
      de: 'Am {date} {method} gezahlt, mit der Referenz {reference}.',
    },
  },
} as const satisfies Texts;

const t = OUTLOOK_TEXTS;
/** Number of days in which the money of every method arrives, or comes back. */
const RECENT_DAYS = 7;

/** Words of a method: the name of its addresses, e.g. `Bank account`, and its payments, e.g. `by bank transfer` and `by bank transfer to {hint}`. */
export interface MethodWords {
  name: Readonly<Record<Language, string>>;
  alone: Text;
  to: Text;
  /** Time after which the money is usually there, e.g. `within minutes`. Absent: not known. */
  arrives?: Readonly<Record<Language, string>>;
}

/** A method as this room knows it. The room of the methods adds the rest. */
export interface KnownMethod {
  kind: string;
  /** The words about its payments. */
  words?: MethodWords;
  /** The states in which it calls payments back. */
  recalls?: readonly AttemptState[];
}

declare module '../../platform/call/context.ts' {
  interface Services {
    /** The methods by which payouts are paid. */
    payoutMethods: readonly KnownMethod[];
  }
}

/** A way in which an affiliate is paid, with the part of its address by which its owner recognizes it. Null: the address is not known. */
interface PaidBy {
  hint: string | null;
  /** Absent: the program pays in a way that it does not name. */
  words: MethodWords | undefined;
}

/** The terms of an account for a method, and whether the service that pays tells its fees before. */
export interface MethodTerms {
  terms: PayoutTerms | undefined;
  quotes: boolean;
}

/**
 * Says from which amount and with which fee a method pays, and whether it is paused: in all currencies, or a payout. Empty if there is no minimum, and the
 * merchant bears the fees.
 */
export function termsIn(language: Language, { terms, quotes }: MethodTerms, payout?: Sum): string {
  if (!terms) return '';
  const say = inLanguage(language);
  const money = (sum: Sum) => amountIn(language, sum);
  const isOf = ({ currency }: Sum) => payout === undefined || payout.currency === currency;
  const fees = terms.fee_bearer === 'affiliate' ? terms.fees.filter(isOf) : [];
  return [
    ...(terms.paused ? [say(t.terms.paused)] : []),
    ...terms.minimums.filter(isOf).map((minimum) => say(t.terms.minimum, { minimum: money(minimum) })),
    ...fees.map((fee) => feeIn(language, fee, payout)),
    ...(terms.fee_bearer === 'merchant' || !quotes || (payout && fees.length > 0)
      ? []
      : [say(fees.length > 0 ? t.terms.quotedElsewhere : t.terms.quoted)]),
  ].join(' ');
}

/** An amount in the minor unit of its currency. */
interface Sum {
  amount_cents: number;
  currency: string;
}

/** Says which fee is taken from payments and, for a payout that is larger, what arrives of it. */
export function feeIn(language: Language, fee: Sum, payout?: Sum): string {
  const values = { fee: amountIn(language, fee) };
  if (!payout || payout.amount_cents <= fee.amount_cents) return inLanguage(language)(t.terms.fee, values);
  const net = { ...payout, amount_cents: payout.amount_cents - fee.amount_cents };
  return inLanguage(language)(t.terms.feeOf, { ...values, net: amountIn(language, net) });
}

/** Says by which method and to which address a payment goes, e.g. `by PayPal to a…@example.com`. */
function methodIn(language: Language, { hint, words }: PaidBy): string {
  const { alone, to } = words ?? { alone: t.methods.unnamed, to: t.methods.unnamed };
  return render((hint === null ? alone : to)[language], language, { hint }, String);
}

/** Facts about what an account owes an affiliate in one currency, in live mode, at a time. */
export interface OwedFacts {
  currency: string;
  /** Amount of the open payout. Null if there is none. */
  open_cents: number | null;
  /** The reasons against paying it (`obstaclesAt`). */
  reasons: PlainPayout['ineligible_reasons'];
  /** Minimum payout of the campaign, if it is in this currency. */
  minimum_cents: number | null;
  payouts_held_until: Instant | null;
  pending_cents: number;
  next_due_at: Instant | null;
  in_review_cents: number;
  /** Time zone of the account, by which days are counted. */
  time_zone: string;
  methods: readonly ({ kind: string; hint: string; words: MethodWords | undefined } & MethodTerms)[];
  /** The payouts that are being paid. */
  claimed: readonly Omit<Payment, 'currency' | 'paid_at' | 'payment_reference' | 'time_zone'>[];
}

/**
 * Says what an affiliate is paid next, when, by which method, what is in the way, and what to do. Portal, emails, pages of the account and tools speak
 * from it (docs/rules/ledger.md#outlook).
 */
export function outlookOf(facts: OwedFacts, now: Instant): PaymentOutlook {
  const amount_cents = facts.open_cents ?? 0;
  const obstacles = OUTLOOK_OBSTACLES.filter((obstacle) => IS_THERE[obstacle](facts, amount_cents));
  const isPayable = obstacles.length === 0;
  const waits = obstacles.length === 1 && obstacles[0] === 'details_changed';
  const outlook = {
    currency: facts.currency,
    amount_cents,
    payable_cents: isPayable ? amount_cents : 0,
    payable_from: isPayable ? now : waits ? facts.payouts_held_until : null,
    on_its_way_cents: facts.claimed.reduce((sum, payout) => sum + payout.amount_cents, 0),
    pending_cents: facts.pending_cents,
    next_due_at: facts.next_due_at,
    in_review_cents: facts.in_review_cents,
    methods: facts.methods.map(({ kind, hint }) => ({ kind, hint })),
    obstacles,
    to_do: toDo(obstacles, facts),
  };
  return { ...outlook, in_words: inEachLanguage((language) => outlookIn(language, outlook, facts)) };
}

type Obstacle = (typeof OUTLOOK_OBSTACLES)[number];

const IS_THERE: Record<Obstacle, (facts: OwedFacts, amount: number) => boolean> = {
  negative: (_, amount) => amount < 0,
  empty: (_, amount) => amount === 0,
  affiliate_inactive: ({ reasons }) => reasons.includes('affiliate_inactive'),
  on_hold: ({ reasons }) => reasons.includes('on_hold'),
  // An affiliate who is not active cannot enter an address.
  no_address: ({ methods, reasons }, amount) => methods.length === 0 && amount > 0 && !reasons.includes('affiliate_inactive'),
  below_minimum: ({ reasons }, amount) => reasons.includes('below_minimum') && amount > 0,
  details_changed: ({ reasons }, amount) => reasons.includes('details_changed') && amount > 0,
  moving_in: ({ reasons }, amount) => reasons.includes('moving_in') && amount > 0,
  screening: ({ reasons }, amount) => reasons.includes('screening') && amount > 0,
};

function toDo(obstacles: readonly Obstacle[], { claimed, open_cents }: OwedFacts): PaymentOutlook['to_do'] {
  if (claimed.some(({ state }) => state === 'unclaimed')) return 'accept_payment';
  if (obstacles.includes('no_address')) return 'enter_payout_details';
  if ((open_cents ?? 0) <= 0) return null;
  if (obstacles.includes('affiliate_inactive')) return 'pay_by_hand';
  return obstacles.includes('on_hold') ? 'review_affiliate' : null;
}

function outlookIn(language: Language, outlook: Omit<PaymentOutlook, 'in_words'>, facts: OwedFacts): string {
  const { currency, amount_cents, obstacles } = outlook;
  const say = inLanguage(language);
  const money = (cents: number) => amountIn(language, { amount_cents: cents, currency });
  const values = {
    amount: money(Math.abs(amount_cents)),
    minimum: money(facts.minimum_cents ?? 0),
    until: facts.payouts_held_until === null ? '' : dayIn(language, facts.payouts_held_until, facts.time_zone),
  };
  const ways = facts.methods.map((method) => methodIn(language, method));
  const termsOf = (method: OwedFacts['methods'][number]) => {
    const terms = termsIn(language, method, { amount_cents, currency });
    return terms === '' ? [] : [`${method.words?.name[language] ?? method.kind}: ${terms}`];
  };
  // That an affiliate is not active or under review matters only if something is owed.
  const said = amount_cents > 0 ? obstacles : obstacles.filter((obstacle) => obstacle === 'negative' || obstacle === 'empty');
  const opening = obstacles.includes('affiliate_inactive') ? t.open.owed : t.open.waiting;
  return [
    ...facts.claimed.map((payment) => claimedIn(language, { ...payment, currency, time_zone: facts.time_zone })),
    ...(amount_cents > 0 ? [say(obstacles.length === 0 ? t.open.payable : opening, values)] : []),
    ...said
      .filter((obstacle) => obstacle !== 'empty' || facts.claimed.length === 0)
      .map((obstacle) => render(t.obstacles[obstacle][language], language, values, String)),
    ...(amount_cents > 0 && ways.length > 0 && !obstacles.includes('affiliate_inactive')
      ? [say(t.open.by, { methods: listIn(language, ways, 'disjunction') }), ...facts.methods.flatMap(termsOf)]
      : []),
    ...(facts.in_review_cents === 0 ? [] : [say(t.more.in_review, { amount: money(facts.in_review_cents) })]),
    ...(facts.next_due_at === null
      ? []
      : [say(t.more.pending, { amount: money(facts.pending_cents), date: dayIn(language, facts.next_due_at, facts.time_zone) })]),
  ].join(' ');
}

/** A payout that is being paid, or was paid (`paid_at`). */
export interface Payment extends PaidBy {
  currency: string;
  amount_cents: number;
  /** The part that the affiliate bears as the fee (`PayoutAttempt`). */
  affiliate_fee_cents: number | null;
  state: AttemptState;
  expires_at: Instant | null;
  paid_at: Instant | null;
  payment_reference: string | null;
  /** Time zone of the account, by which days are counted. */
  time_zone: string;
  /** True if the account has paused the method, so that a payment which is not sent waits. */
  isPaused: boolean;
}

function claimedIn(language: Language, payment: Omit<Payment, 'paid_at' | 'payment_reference'>): string {
  return withFee(language, stateIn(language, payment), payment);
}

/** Adds the fee that is taken from a payment, and what arrives of it. */
function withFee(
  language: Language,
  said: string,
  { affiliate_fee_cents: fee, ...payment }: Sum & Pick<Payment, 'affiliate_fee_cents'>,
): string {
  return fee ? `${said} ${feeIn(language, { ...payment, amount_cents: fee }, payment)}` : said;
}

function stateIn(language: Language, payment: Omit<Payment, 'paid_at' | 'payment_reference'>): string {
  const { state, expires_at, isPaused, time_zone } = payment;
  const say = inLanguage(language);
  const values = { amount: amountIn(language, payment), method: methodIn(language, payment) };
  if (state === 'prepared' || state === 'approved') return say(isPaused ? t.more.paused : t.more.preparing, values);
  if (state !== 'unclaimed') return [say(t.more.sent, values), ...arrivalIn(language, payment)].join(' ');
  return expires_at === null
    ? say(t.more.unclaimed, values)
    : say(t.more.unclaimedUntil, { ...values, until: dayIn(language, expires_at, time_zone) });
}

/** Says when the money of a payment usually arrives, if its method says so. */
function arrivalIn(language: Language, { words }: PaidBy): string[] {
  return words?.arrives === undefined ? [] : [inLanguage(language)(t.paid.arrives, { time: words.arrives[language] })];
}

/**
 * Says how a payout is or was paid: by which method, to which address, when, and with which reference. With `now`, also when the money of a payment of the last
 * days usually arrives.
 */
export function paymentIn(language: Language, payment: Payment, now?: Instant): string {
  const { paid_at, payment_reference: reference, time_zone } = payment;
  if (paid_at === null) return claimedIn(language, payment);
  const values = { method: methodIn(language, payment), date: dayIn(language, paid_at, time_zone) };
  const text = reference === null ? t.paid.made : t.paid.madeWithReference;
  const paid = inLanguage(language)(text, { ...values, reference: reference ?? '' });
  const isRecent = now !== undefined && plusDays(paid_at, RECENT_DAYS) > now;
  return withFee(language, [paid, ...(isRecent ? arrivalIn(language, payment) : [])].join(' '), payment);
}
