import { z } from 'zod';
import { hintOf } from '../../../program/payout-methods/payout-address.ts';
import { bankDetailsProblems, nameOfHolder } from '../../method/bank-details.ts';
import { isSpelled } from '../../method/bank-text.ts';
import type { Method } from '../../method/method.ts';
import { plainIban, problemOfIban } from './iban.ts';
import { renderPain001 } from './pain-001.ts';
import { readReport } from './read-report.ts';

const KIND = 'bank_sepa';

/** Most cents of a payment: 999,999,999.99 euros. */
const MAX_CENTS = 99_999_999_999;

const PROBLEMS = {
  malformed: 'Enter an IBAN, e.g. DE89 3704 0044 0532 0130 00.',
  country: 'Accounts of this country cannot be paid by SEPA.',
  length: 'This IBAN has too many or too few characters for its country.',
  check_digits: 'This IBAN has a typing error: its check digits do not fit.',
};

export const iban = z
  .string()
  .transform(plainIban)
  .superRefine((text, context) => {
    const problem = problemOfIban(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: PROBLEMS[problem] });
  });
export const bic = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, '').toUpperCase())
  .pipe(
    z.string().regex(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'Enter a BIC of 8 or 11 characters, e.g. COBADEFFXXX.'),
  );
const account_holder = nameOfHolder(isSpelled, 'Enter the name in Latin letters, as the bank has it.');
const part = (max: number) => nameOfHolder(isSpelled, 'Enter it in Latin letters.', max).optional();

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
      .regex(/^[A-Z]{2}$/, 'Enter the two letters of the country, e.g. DE.')
      .optional(),
  })
  .superRefine(({ street, building, postcode, town, country }, context) => {
    if ([street, building, postcode, town, country].every((each) => each === undefined)) return;
    for (const [path, value] of Object.entries({ town, country }))
      if (value === undefined) context.addIssue({ code: 'custom', path: [path], message: 'An address needs town and country.' });
  });

/** Credit transfers in euros between bank accounts, by a file that the merchant takes to the bank. */
export const BANK_SEPA: Method = {
  kind: KIND,
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
