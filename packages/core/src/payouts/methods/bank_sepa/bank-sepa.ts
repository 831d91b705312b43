import { z } from 'zod';
import { hintOf } from '../../../program/payout-methods/payout-addresses.ts';
import { bankDetailsProblems, nameOfHolder, isSpelled } from '../../port/bank-files.ts';
import { wordsOfBank } from '../../port/method-words.ts';
import type { Method } from '../../port/method.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';
import { plainIban, problemOfIban } from './iban.ts';
import { renderPain001 } from './pain-001.ts';
import { readReport } from './read-report.ts';

const KIND = 'bank_sepa';

/** Most cents of a payment: 999,999,999.99 euros. */
const MAX_CENTS = 99_999_999_999;

const PROBLEMS = {
  malformed: PAYOUT_REASONS.iban_form,
  country: PAYOUT_REASONS.iban_country,
  length: PAYOUT_REASONS.iban_length,
  check_digits: PAYOUT_REASONS.iban_check_digits,
};

export const iban = z
  .string()
  .transform(plainIban)
  .superRefine((text, context) => {
    const problem = problemOfIban(text);
    if (problem !== null) context.addIssue({ code: 'custom', ...PROBLEMS[problem].issue });
  });
export const bic = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, '').toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, PAYOUT_REASONS.bic_form));
const account_holder = nameOfHolder(isSpelled, PAYOUT_REASONS.holder_not_latin);
const part = (max: number) => nameOfHolder(isSpelled, PAYOUT_REASONS.not_latin, max).optional();

/** The account of a receiver. Banks need an address only for some countries. It has parts, because they no longer take lines of text. */
const Address = z
  .strictObject({
    account_holder,
    iban,
    bic: bic.optional(),
    street: part(70),
    building: part(16),
    postcode: part(16),
    town: part(35),
    country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, PAYOUT_REASONS.country_form)
      .optional(),
  })
  .superRefine(({ street, building, postcode, town, country }, context) => {
    if ([street, building, postcode, town, country].every((each) => each === undefined)) return;
    for (const [path, value] of Object.entries({ town, country }))
      if (value === undefined) context.addIssue({ code: 'custom', path: [path], ...PAYOUT_REASONS.address_incomplete.issue });
  });

/** Credit transfers in euros between bank accounts, by a file that the merchant takes to the bank. */
export const BANK_SEPA: Method = {
  kind: KIND,
  words: wordsOfBank({ en: 'Bank account (SEPA, euros)', de: 'Bankkonto (SEPA, Euro)' }, 2),
  addressSchema: Address,
  currencies: new Set(['EUR']),
  limits: { items: 10_000 },
  problems: (items) => bankDetailsProblems(KIND, items, MAX_CENTS),
  accounts: {
    name: 'SEPA',
    fields: [
      { name: 'account_holder', placeholder: 'Example GmbH', isSecret: false },
      { name: 'iban', placeholder: 'DE89 3704 0044 0532 0130 00', isSecret: false },
      { name: 'bic', placeholder: 'COBADEFFXXX', isSecret: false, isOptional: true },
    ],
    schema: z.strictObject({ account_holder, iban, bic: bic.optional() }) as unknown as z.ZodType<Record<string, string>>,
    connect: ({ iban: number = '' }) => Promise.resolve({ mode: null, accountId: hintOf({ iban: number }) }),
  },
  file: { extension: 'xml', render: (content) => renderPain001(KIND, content), read: readReport },
};
