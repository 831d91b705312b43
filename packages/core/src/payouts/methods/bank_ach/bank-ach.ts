import { z } from 'zod';
import { hintOf } from '../../../program/payout-methods/payout-addresses.ts';
import { bankDetailsProblems, nameOfHolder, isSpelled } from '../../port/bank-files.ts';
import { wordsOfBank } from '../../port/method-words.ts';
import type { Method } from '../../port/method.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';
import { renderNacha } from './nacha.ts';
import { isRoutingNumber } from './routing-number.ts';

const KIND = 'bank_ach';

/** Most cents of a payment, 999,999.99 dollars. The sums of a full file then fit into their twelve digits. */
const MAX_CENTS = 99_999_999;

export const withoutBlanks = z.string().transform((text) => text.replaceAll(/\s/g, ''));
export const routing_number = withoutBlanks.refine(isRoutingNumber, PAYOUT_REASONS.routing_number_form);
const name = (max: number) => nameOfHolder(isSpelled, PAYOUT_REASONS.holder_not_latin, max);

export const account_number = withoutBlanks.pipe(z.string().regex(/^[A-Za-z0-9-]{4,17}$/, PAYOUT_REASONS.account_number_form));

/** The account of a receiver. */
const Address = z.strictObject({
  account_holder: name(70),
  routing_number,
  account_number,
  account_type: z.enum(['checking', 'savings']),
  holder_type: z.enum(['person', 'company']),
});

const companyNumber = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{9,10}$/, PAYOUT_REASONS.company_number_form);

/** Credits in dollars to bank accounts in the United States, by a file that the merchant takes to the bank. */
export const BANK_ACH: Method = {
  kind: KIND,
  words: wordsOfBank({ en: 'Bank account (United States, dollars)', de: 'Bankkonto (USA, Dollar)' }, 3),
  addressSchema: Address,
  currencies: new Set(['USD']),
  limits: { items: 10_000 },
  problems: (items) => bankDetailsProblems(KIND, items, MAX_CENTS),
  accounts: {
    name: 'ACH',
    fields: [
      { name: 'company_name', placeholder: 'Example Inc', isSecret: false },
      { name: 'company_id', placeholder: '1123456789', isSecret: false },
      { name: 'bank_name', placeholder: 'Example Bank', isSecret: false },
      { name: 'routing_number', placeholder: '021000021', isSecret: false },
      { name: 'immediate_origin', placeholder: '1123456789', isSecret: false, isOptional: true },
    ],
    schema: z.strictObject({
      company_name: name(70),
      company_id: companyNumber,
      bank_name: name(70),
      routing_number,
      immediate_origin: companyNumber.optional(),
    }) as unknown as z.ZodType<Record<string, string>>,
    connect: ({ company_id = '' }) => Promise.resolve({ mode: null, accountId: hintOf({ company_id }) }),
  },
  file: { extension: 'ach', render: (content) => renderNacha(KIND, content) },
};
