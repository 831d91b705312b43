/** What copies of a person's data are searched for. */
export interface Sought {
  /** Email addresses, in lower case. */
  addresses: readonly string[];
  /** IDs of the person's record, here and at the payment provider. */
  ids: readonly string[];
}

/** Text in place of an erased address. */
export const ERASED = 'erased';

/** Address of an erased affiliate, which cannot get mail. */
export function erasedAddress(affiliateId: string): string {
  return `${affiliateId}@erased.invalid`;
}

/** Fields of a record that name a person. */
const OF_PERSON = new Set([
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'walleta_email',
  'walletb_email',
  'individual_name',
  'business_name',
]);
/** Fields of other records that name the person whom the record is about. Everything in them is erased. */
const ABOUT_PERSON =
  /^customer_(?:email|name|first_name|last_name|phone|address|shipping|details|tax_ids|tax_exempt)$|^(?:receipt_email|billing_details|shipping|shipping_details|collected_information|former_email|new_email)$/;

/** Returns a regular expression that matches the addresses in any text, but not longer addresses that contain them. Null without addresses. */
export function patternOf(addresses: readonly string[]): string | null {
  if (addresses.length === 0) return null;
  const escaped = addresses.map((address) => address.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  return `(?<![\\w.+-])(?:${escaped.join('|')})(?![\\w-]|\\.\\w)`;
}

/** Returns the text without the addresses. */
export function withoutAddresses(text: string, { addresses }: Sought): string {
  const pattern = patternOf(addresses);
  return pattern === null ? text : text.replaceAll(new RegExp(pattern, 'gi'), ERASED);
}

/** Reports whether a text names the person. */
export function names(text: string, { addresses, ids }: Sought): boolean {
  const lower = text.toLowerCase();
  return addresses.some((address) => lower.includes(address)) || ids.some((id) => text.includes(id));
}

/**
 * Returns a copy of a JSON value about a person without personal data: addresses in texts, the fields of the person's records, and fields of other
 * records that name the person. The copy has the same form, so that readers of the value still understand it.
 */
export function withoutPerson(value: unknown, sought: Sought): unknown {
  if (typeof value === 'string') return withoutAddresses(value, sought);
  if (Array.isArray(value)) return value.map((each) => withoutPerson(each, sought));
  if (typeof value !== 'object' || value === null) return value;
  const isPerson = isRecordOf(value as Record<string, unknown>, sought);
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, child]) => {
      // Left out of events without a customer.
      if (field.startsWith('sale_customer_')) return [];
      return [[field, fieldWithoutPerson(value as Record<string, unknown>, field, { child, isPerson, sought })]];
    }),
  );
}

function fieldWithoutPerson(
  { id }: Record<string, unknown>,
  field: string,
  { child, isPerson, sought }: { child: unknown; isPerson: boolean; sought: Sought },
): unknown {
  // An affiliate always has an address.
  if (isPerson && field === 'email' && typeof id === 'string' && id.startsWith('aff_')) return erasedAddress(id);
  if (ABOUT_PERSON.test(field) || (isPerson && (OF_PERSON.has(field) || field === 'address'))) return emptied(child);
  if (field === 'previous_attributes' && typeof child === 'object') return withoutFields(child, sought);
  return withoutPerson(child, sought);
}

/** True for a record of the person: it has the person's ID or address. */
function isRecordOf(value: Record<string, unknown>, { ids, addresses }: Sought): boolean {
  const { id, email } = value;
  if (typeof id === 'string' && ids.includes(id)) return true;
  return typeof email === 'string' && addresses.includes(email.toLowerCase());
}

/** Former values of a record of the person have no ID. */
function withoutFields(value: object | null, sought: Sought): unknown {
  if (value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => [
      field,
      OF_PERSON.has(field) || field === 'address' || ABOUT_PERSON.test(field) ? emptied(child) : withoutPerson(child, sought),
    ]),
  );
}

/** Returns a value of the same form without content. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([field, child]) => [field, emptied(child)]));
}
