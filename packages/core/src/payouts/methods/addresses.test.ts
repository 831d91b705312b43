import { expect, it } from 'vitest';
import { METHODS } from './methods.ts';

const SEPA = { account_holder: 'Ada King', iban: 'DE89370400440532013000' };
const ACH = {
  account_holder: 'Ada King',
  routing_number: '021000021',
  account_number: '12345678',
  account_type: 'checking',
  holder_type: 'person',
};
const SORT_CODE = { account_holder: 'Ada King', holder_type: 'person', sort_code: '040075', account_number: '37778842' };
const ABA = {
  account_holder: 'Ada King',
  holder_type: 'person',
  routing_number: '021000021',
  account_number: '12345678',
  account_type: 'checking',
  street: '1 Main Street',
  town: 'New York',
  postcode: '10001',
  country: 'US',
};

const schemaOf = (kind: string) => METHODS.find((method) => method.kind === kind)!.addressSchema!;

it.each<[kind: string, entered: object, kept: object]>([
  ['bank_sepa', { ...SEPA, iban: 'de89 3704 0044 0532 0130 00', bic: ' cobadeff xxx ' }, { ...SEPA, bic: 'COBADEFFXXX' }],
  ['bank_sepa', { ...SEPA, bic: 'COBADEFF' }, { ...SEPA, bic: 'COBADEFF' }],
  ['bank_sepa', { ...SEPA, account_holder: ' Ada  King ' }, { ...SEPA, account_holder: 'Ada  King' }],
  ['bank_sepa', { ...SEPA, town: 'Köln', country: 'de' }, { ...SEPA, town: 'Köln', country: 'DE' }],
  ['bank_ach', { ...ACH, routing_number: '0210 00021', account_number: '1234 5678' }, ACH],
  ['bank_ach', { ...ACH, account_number: 'AB-12' }, { ...ACH, account_number: 'AB-12' }],
  ['wise_sort_code', { ...SORT_CODE, sort_code: '04-00 75', account_number: '3777 8842' }, SORT_CODE],
  ['wise_aba', { ...ABA, state: ' ny ', country: 'us' }, { ...ABA, state: 'NY' }],
])('an address of %s that is entered as %j is kept in the form of files', (kind, entered, kept) => {
  expect(schemaOf(kind).parse(entered)).toEqual(kept);
});

it.each<[kind: string, entered: object, field: string]>([
  ['bank_sepa', { ...SEPA, iban: 'DE88370400440532013000' }, 'iban'],
  ['bank_sepa', { ...SEPA, iban: 'US89370400440532013000' }, 'iban'],
  ['bank_sepa', { ...SEPA, bic: 'COBADEF' }, 'bic'],
  ['bank_sepa', { ...SEPA, bic: 'COBADEFFXX' }, 'bic'],
  ['bank_sepa', { ...SEPA, bic: 'COBA12FF' }, 'bic'],
  ['bank_sepa', { ...SEPA, bic: 'COBADEFFXXXX' }, 'bic'],
  ['bank_sepa', { ...SEPA, account_holder: '李雷' }, 'account_holder'],
  ['bank_sepa', { ...SEPA, account_holder: 'Ada\nKing' }, 'account_holder'],
  ['bank_sepa', { ...SEPA, account_holder: ' ' }, 'account_holder'],
  ['bank_sepa', { ...SEPA, account_holder: 'a'.repeat(71) }, 'account_holder'],
  // Banks take an address only with a town and a country.
  ['bank_sepa', { ...SEPA, street: 'Domkloster 4' }, 'town country'],
  ['bank_sepa', { ...SEPA, town: 'Köln' }, 'country'],
  ['bank_sepa', { ...SEPA, country: 'DE' }, 'town'],
  ['bank_sepa', { ...SEPA, postcode: '50667', town: 'Köln' }, 'country'],
  ['bank_sepa', { ...SEPA, town: 'Köln', country: 'DEU' }, 'country'],
  ['bank_ach', { ...ACH, routing_number: '021000022' }, 'routing_number'],
  ['bank_ach', { ...ACH, account_number: '123' }, 'account_number'],
  ['bank_ach', { ...ACH, account_number: '1'.repeat(18) }, 'account_number'],
  ['bank_ach', { ...ACH, account_number: '12_34' }, 'account_number'],
  ['wise_sort_code', { ...SORT_CODE, sort_code: '0400755' }, 'sort_code'],
  ['wise_sort_code', { ...SORT_CODE, account_number: '1234567' }, 'account_number'],
  ['wise_sort_code', { ...SORT_CODE, account_holder: 'A' }, 'account_holder'],
  // Wise takes only letters of Western European languages.
  ['wise_aba', { ...ABA, account_holder: 'Łucja King' }, 'account_holder'],
  ['wise_aba', { ...ABA, state: 'N1' }, 'state'],
  ['wise_aba', { ...ABA, country: 'USA' }, 'country'],
  ['wise_aba', { ...ABA, street: '李' }, 'street'],
])('an address of %s with %j is refused', (kind, entered, field) => {
  const { error } = schemaOf(kind).safeParse(entered);
  expect([...new Set(error!.issues.map(({ path }) => path.join('.')))].join(' ')).toBe(field);
});
