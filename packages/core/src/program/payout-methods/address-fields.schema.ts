/**
 * The fields in which records of affiliates show the addresses of two kinds of payout methods. They are fields of the wire only: everything else reads
 * and writes the methods.
 */
import { email } from '../../platform/wire/scalars.ts';
import type { PayoutAddress, PayoutAddresses } from './payout-addresses.ts';

/** The kind of the payout method behind each field. */
const KINDS = { walleta_email: 'paypal', walletb_email: 'wise' } as const;

export type AddressField = keyof typeof KINDS;
type Fields = Record<AddressField, string | null>;

const ENTRIES = Object.entries(KINDS) as [AddressField, string][];

export const ADDRESS_FIELDS = ENTRIES.map(([field]) => field);

export const addressFields = {
  walleta_email: email().nullable().describe('PayPal email address for payouts.'),
  walletb_email: email().nullable().describe('Wise email address for payouts.'),
};

/** The same fields of an input. */
export const addressInput = {
  walleta_email: addressFields.walleta_email.optional(),
  walletb_email: addressFields.walletb_email.optional(),
};

/** Without these fields, a record shows no addresses. */
export const WITHOUT_ADDRESSES = { walleta_email: true, walletb_email: true } as const;

/** Returns the fields that show the addresses of an affiliate. */
export function addressFieldsOf(addresses: PayoutAddresses): Fields {
  return Object.fromEntries(ENTRIES.map(([field, kind]) => [field, addresses[kind]?.['email'] ?? null])) as Fields;
}

/** Splits an input into the addresses that it sets or (null) removes, by kind, and its other fields. */
export function splitAddresses<Input extends { [Name in AddressField]?: string | null | undefined }>({
  walleta_email,
  walletb_email,
  ...others
}: Input): { addresses: Map<string, PayoutAddress | null>; others: Omit<Input, AddressField> } {
  const given = { walleta_email, walletb_email };
  const addresses = ENTRIES.flatMap(([field, kind]): [string, PayoutAddress | null][] => {
    const address = given[field];
    return address === undefined ? [] : [[kind, address === null ? null : { email: address }]];
  });
  return { addresses: new Map(addresses), others };
}

/** True if an input sets or removes an address. */
export function hasAddresses(input: { [Name in AddressField]?: string | null | undefined }): boolean {
  return ADDRESS_FIELDS.some((field) => input[field] !== undefined);
}

/** Returns the email addresses that a record of an affiliate shows. */
export function emailsShown({ walleta_email, walletb_email }: Fields): string[] {
  return [walleta_email, walletb_email].filter((address) => address !== null);
}
