/** The bank accounts to which Wise pays, as affiliates enter them, and as Wise takes them. Each currency has an account of another form. */
import { z } from 'zod';
import type { Language } from '../../../platform/texts/texts.ts';
import type { PayoutAddress } from '../../../program/payout-methods/payout-addresses.ts';
import { nameOfHolder, isSpelled } from '../../port/bank-files.ts';
import { emailFor } from '../../port/email-address.ts';
import { withinDays, wordsOfService } from '../../port/method-words.ts';
import { type Method, nameOf, type PayoutItem, type Problem } from '../../port/method.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';
import { account_number, routing_number, withoutBlanks } from '../bank_ach/bank-ach.ts';
import { bic, iban } from '../bank_sepa/bank-sepa.ts';
import { WISE } from '../wise/wise.ts';
import { WISE_REASONS } from './reasons.ts';

/** Characters of a name at Wise. */
const NAME = /^[0-9A-Za-zÀ-ÖØ-öø-ÿ\-_()'*,.\s]+$/;

const named = (max: number) => nameOfHolder(isSpelled, PAYOUT_REASONS.not_latin, max);
const account_holder = nameOfHolder((text) => NAME.test(text) && text.length > 1, WISE_REASONS.name_not_latin);
const holder = { account_holder, holder_type: z.enum(['person', 'company']) };

/** A form of account, and the fields in which Wise takes it. */
interface AccountForm {
  kind: string;
  name: Readonly<Record<Language, string>>;
  currency: string;
  schema: NonNullable<Method['addressSchema']>;
  /** Wise's name of the form. */
  type: string;
  details(address: PayoutAddress): Record<string, unknown>;
}

const FORMS: readonly AccountForm[] = [
  {
    kind: 'wise_iban',
    name: { en: 'Bank account (IBAN, euros, by Wise)', de: 'Bankkonto (IBAN, Euro, über Wise)' },
    currency: 'EUR',
    schema: z.strictObject({ ...holder, iban, bic: bic.optional() }),
    type: 'iban',
    details: ({ iban: number, bic: code }) => ({ IBAN: number, ...(code && { BIC: code }) }),
  },
  {
    kind: 'wise_sort_code',
    name: { en: 'Bank account (United Kingdom, pounds, by Wise)', de: 'Bankkonto (Vereinigtes Königreich, Pfund, über Wise)' },
    currency: 'GBP',
    schema: z.strictObject({
      ...holder,
      sort_code: withoutBlanks
        .transform((text) => text.replaceAll('-', ''))
        .pipe(z.string().regex(/^\d{6}$/, WISE_REASONS.sort_code_form)),
      account_number: withoutBlanks.pipe(z.string().regex(/^\d{8}$/, WISE_REASONS.account_number_form)),
    }),
    type: 'sort_code',
    details: ({ sort_code, account_number: number }) => ({ sortCode: sort_code, accountNumber: number }),
  },
  {
    kind: 'wise_aba',
    name: { en: 'Bank account (United States, dollars, by Wise)', de: 'Bankkonto (USA, Dollar, über Wise)' },
    currency: 'USD',
    schema: z.strictObject({
      ...holder,
      routing_number,
      account_number,
      account_type: z.enum(['checking', 'savings']),
      street: named(70),
      town: named(35),
      postcode: named(16),
      state: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, WISE_REASONS.state_form)
        .optional(),
      country: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, WISE_REASONS.country_form),
    }),
    type: 'aba',
    details: ({ routing_number: routing, account_number: number, account_type, street, town, postcode, state, country }) => ({
      abartn: routing,
      accountNumber: number,
      accountType: account_type === 'savings' ? 'SAVINGS' : 'CHECKING',
      address: { country, city: town, postCode: postcode, firstLine: street, ...(state && { state }) },
    }),
  },
];

/** The entries of these forms in the table of methods. */
export const WISE_ACCOUNTS: readonly Method[] = FORMS.map(({ kind, name, currency, schema }) => ({
  kind,
  paidBy: WISE.kind,
  words: wordsOfService('Wise', withinDays(2), name),
  addressSchema: schema,
  currencies: new Set([currency]),
  limits: { items: 0 },
  problems: () => [],
}));

function formFor({ currency, addresses }: Pick<PayoutItem, 'currency' | 'addresses'>): AccountForm | undefined {
  return FORMS.find((form) => form.currency === currency && addresses[form.kind] !== undefined);
}

/** Returns the kind of the address to which Wise pays a payout. */
export function addressKindAtWise(item: PayoutItem): string {
  return formFor(item)?.kind ?? WISE.kind;
}

/** Returns a receiver as Wise takes it: the account in the currency of the payment, or else the email address, for which Wise asks the receiver for an account. */
export function recipientOf(item: PayoutItem, profile: number): Record<string, unknown> {
  const form = formFor(item);
  const { currency } = item;
  if (!form) {
    const details = { email: emailFor(WISE.kind, item) };
    return { profile, currency, type: 'email', accountHolderName: nameOf(item), details };
  }
  const address = item.addresses[form.kind]!;
  const legalType = address['holder_type'] === 'company' ? 'BUSINESS' : 'PRIVATE';
  const details = { legalType, ...form.details(address) };
  return { profile, currency, type: form.type, accountHolderName: address['account_holder'], details };
}

/** Returns a problem for each payout whose affiliate has neither an account in its currency nor a name and an email address. */
export function receiverProblems(items: readonly PayoutItem[]): Problem[] {
  return items
    .filter((item) => !formFor(item))
    .flatMap((item): Problem[] => {
      const [problem] = WISE.problems([item]);
      if (problem) return [problem];
      if (item.first_name?.trim() && item.last_name?.trim() && NAME.test(nameOf(item))) return [];
      return [
        {
          payout_id: item.payout_id,
          code: 'unsupported_address',
          message: WISE_REASONS.names_needed({ name: nameOf(item), payout: item.payout_id }),
        },
      ];
    });
}
