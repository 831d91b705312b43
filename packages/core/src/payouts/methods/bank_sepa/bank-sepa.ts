import { mapInParts } from '@affiliate/postgres';
import { z } from 'zod';
import { decimalAmount } from '../../../platform/money/money.ts';
import { hintOf } from '../../../program/payout-methods/payout-addresses.ts';
import { bankDetailsProblems, bankingDay, bankText, isSpelled, nameOfHolder } from '../../port/bank-files.ts';
import { wordsOfBank } from '../../port/method-words.ts';
import { type FileContent, type FileItem, type Method, nameOf, noteOf } from '../../port/method.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';
import { plainIban, problemOfIban } from './iban.ts';
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

/** Lengths of the scheme: of a name or a street, a town, a number, and of the text for the receiver. */
const NAME = 70;
const TOWN = 35;
const NUMBER = 16;
const REMITTANCE = 140;

/** Returns the id of a record as files have it: banks do not take underscores. Ids have fewer than 35 characters. */
function idInFile(id: string): string {
  return id.replaceAll('_', '-');
}

/**
 * Renders a credit transfer of SEPA (ISO 20022, pain.001.001.09, in the European Payments Council's version of 2023). All payments are in euros and on one
 * day, so that the file has one block of payments, which the bank books as one amount. `EndToEndId` is the id of the attempt.
 */
async function renderPain001(kind: string, { id, created_at, payer, items }: FileContent): Promise<string> {
  const { account_holder = '', iban = '', bic } = payer!;
  const messageId = idInFile(id);
  const sum = decimalAmount(
    items.reduce((total, { amount_cents }) => total + amount_cents, 0),
    'EUR',
  );
  const totals = tag('NbOfTxs', String(items.length)) + tag('CtrlSum', sum);
  const debtor = tag('Nm', bankText(account_holder, NAME));
  const agent = bic ? tag('BICFI', bic) : tag('Othr', tag('Id', 'NOTPROVIDED'));
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    tag('GrpHdr', tag('MsgId', messageId) + tag('CreDtTm', created_at) + totals + tag('InitgPty', debtor)),
    `<PmtInf>${tag('PmtInfId', `${messageId}-1`)}${tag('PmtMtd', 'TRF')}${tag('BtchBookg', 'true')}${totals}`,
    tag('PmtTpInf', tag('SvcLvl', tag('Cd', 'SEPA'))) + tag('ReqdExctnDt', tag('Dt', bankingDay(created_at))),
    tag('Dbtr', debtor) + tag('DbtrAcct', accountOf(iban)) + tag('DbtrAgt', tag('FinInstnId', agent)) + tag('ChrgBr', 'SLEV'),
  ];
  const payments = await mapInParts(items, (item) => paymentOf(kind, item));
  return `${[...head, ...payments, '</PmtInf></CstmrCdtTrfInitn></Document>'].join('\n')}\n`;
}

function paymentOf(kind: string, item: FileItem): string {
  const { account_holder = nameOf(item), iban = '', bic, street, building, postcode, town, country } = item.addresses[kind]!;
  const address =
    optional('StrtNm', street, NAME) +
    optional('BldgNb', building, NUMBER) +
    optional('PstCd', postcode, NUMBER) +
    optional('TwnNm', town, TOWN) +
    optional('Ctry', country, NAME);
  return tag(
    'CdtTrfTxInf',
    tag('PmtId', tag('EndToEndId', idInFile(item.attempt_id))) +
      `<Amt><InstdAmt Ccy="EUR">${decimalAmount(item.amount_cents, item.currency)}</InstdAmt></Amt>` +
      (bic ? tag('CdtrAgt', tag('FinInstnId', tag('BICFI', bankText(bic, NAME)))) : '') +
      tag('Cdtr', tag('Nm', bankText(account_holder, NAME)) + (address === '' ? '' : tag('PstlAdr', address))) +
      tag('CdtrAcct', accountOf(iban)) +
      tag('RmtInf', tag('Ustrd', bankText(noteOf(item), REMITTANCE))),
  );
}

function accountOf(iban: string): string {
  return tag('Id', tag('IBAN', bankText(iban, NAME)));
}

/** Returns an element. Texts are in the characters of SEPA, none of which has a meaning in XML. */
function tag(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function optional(name: string, text: string | undefined, maxLength: number): string {
  return text === undefined ? '' : tag(name, bankText(text, maxLength));
}
