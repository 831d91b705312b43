/**
 * A person's data in texts and JSON. An address is found in the forms of other formats, too: URLs, JSON, HTML, quoted-printable, base64, and domains in
 * their own script.
 */
import { domainToUnicode } from 'node:url';
import { ADDRESS_FIELDS } from '../payout-methods/address-fields.schema.ts';

/** Characters that formats write as they are. */
const PLAIN = /[a-z0-9]/i;

/** Returns a regular expression that matches one character of an address in every form but base64. Its letters match in any case. */
function formsOfCharacter(character: string): string {
  if (PLAIN.test(character)) return character;
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const code = character.codePointAt(0)!;
  const inJson = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const forms = [
    escaped(character),
    bytes.map((byte) => `%${byte}`).join(''),
    // A percent sign that was encoded again, as in a link in a link.
    bytes.map((byte) => `%25${byte}`).join(''),
    bytes.map((byte) => `=${byte}`).join(''),
    String.raw`\\+u` + inJson.join(String.raw`\\+u`),
    `&#0*${code};`,
    `&#x0*${code.toString(16)};`,
    ...(character === '@' ? ['&commat;'] : character === '.' ? ['&period;'] : character === '+' ? ['&plus;'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** Returns the address, and the spelling of its domain in its own script, if it has one. */
function spellingsOf(address: string): string[] {
  const at = address.lastIndexOf('@');
  const domain = domainToUnicode(address.slice(at + 1));
  const spelled = `${address.slice(0, at + 1)}${domain}`;
  return domain === '' || spelled === address ? [address] : [address, spelled];
}

/** Returns a regular expression that matches the addresses in every form but base64, also within longer words. */
export function formsOf(addresses: readonly string[]): string {
  return `(?:${addresses
    .flatMap(spellingsOf)
    .map((address) => address.replaceAll(/./gsu, (character) => formsOfCharacter(character)))
    .join('|')})`;
}

/** Characters that URLs write as they are, or encoded, and that cannot belong to the address after them. */
const ENCODED_SEPARATOR = '%(?:0[0-9a-d]|2[0-9acf]|3[a-f]|40|5[b-e]|60|7[b-f])';
const START = String.raw`(?:(?<![\w.+-])|(?<=${ENCODED_SEPARATOR})|(?<=\\[bfnrt]))`;
const END = String.raw`(?![\w-]|\.\w)`;

/** Returns a regular expression that matches the addresses in every form but base64. It does not match longer addresses that contain them. */
export function wholeFormsOf(addresses: readonly string[]): string {
  return `${START}${formsOf(addresses)}${END}`;
}

/** Returns patterns of SQL's `like` without wildcards at the ends, one of which every text with a form of an address matches, except base64. */
export function roughFormsOf(addresses: readonly string[]): string[] {
  return addresses.flatMap(spellingsOf).map((address) => address.replaceAll(/[^a-z0-9]+/gi, '%'));
}

/** Returns the texts, one of which every base64 text with one of the words contains. The word can begin at each of three places in a group. */
export function base64PiecesOf(words: readonly string[]): string[] {
  return words.flatMap((word) =>
    [0, 1, 2].flatMap((offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(word)]);
      const piece = bytes.toString('base64').slice([0, 2, 3][offset], Math.floor((bytes.length * 8) / 6));
      return [...new Set([piece, piece.replaceAll('+', '-').replaceAll('/', '_')])];
    }),
  );
}

/** A regular expression for a text in base64 that contains one of the pieces. */
export function base64WordWith(pieces: readonly string[]): string {
  // In JSON, a word may follow an escaped line break.
  return String.raw`(?:(?<=\\[bfnrt])|(?<![\\A-Za-z0-9+/_-]))[A-Za-z0-9+/_-]*(?:${pieces.map(escaped).join('|')})[A-Za-z0-9+/_-]*={0,2}`;
}

/** Returns a text in which `ERASED` stands for each word of base64 that contains one of the pieces. */
function withoutBase64(text: string, pieces: readonly string[]): string {
  // The expression is slow for a long text in base64 without a piece.
  if (!pieces.some((piece) => text.includes(piece))) return text;
  return text.replaceAll(/[A-Za-z0-9+/_-]+={0,2}/g, (word) => (pieces.some((piece) => word.includes(piece)) ? ERASED : word));
}

/** The words for which copies of a person's data are searched. */
export interface Sought {
  /** Email addresses, in lower case. */
  addresses: readonly string[];
  /** IDs of the person's record, here and at the payment provider. */
  ids: readonly string[];
  /** The merchant's own IDs of the person. They may be as short as a number, so texts are not searched for them. */
  ownIds: readonly string[];
  /** Names of the person. Others may have the same, so texts with them are listed for a person to decide. */
  names?: readonly string[];
  /** The fields that the person's record has lost, which its copies lose, too. */
  fields?: readonly string[];
}

/** Text in place of an erased address. */
export const ERASED = 'erased';

/** Address of an erased affiliate, which cannot get mail. */
export function erasedAddress(affiliateId: string): string {
  return `${affiliateId}@erased.invalid`;
}

/** Fields of a record that name a person, also in records of the payment provider. Records of ours have further ones (`Sought.fields`). */
const OF_PERSON = new Set<string>([
  'email',
  'name',
  'first_name',
  'last_name',
  'phone',
  'address',
  ...ADDRESS_FIELDS,
  'individual_name',
  'business_name',
]);
/** Fields of other records that name the person whom the record is about. Everything in them is erased. */
const ABOUT_PERSON =
  /^customer_(?:email|name|first_name|last_name|phone|address|shipping|details|tax_ids|tax_exempt)$|^(?:receipt_email|billing_details|shipping|shipping_details|collected_information|former_email|new_email)$/;

/** The compiled search for the addresses of a person. */
const searches = new WeakMap<Sought, { whole: RegExp; pieces: readonly string[] }>();

/** Returns a text without the addresses, in whatever form they are written. Longer addresses that contain them stay. */
function withoutAddresses(text: string, sought: Sought): string {
  if (sought.addresses.length === 0) return text;
  let search = searches.get(sought);
  if (!search) {
    search = { whole: new RegExp(wholeFormsOf(sought.addresses), 'gi'), pieces: base64PiecesOf(sought.addresses) };
    searches.set(sought, search);
  }
  return withoutBase64(text.replaceAll(search.whole, ERASED), search.pieces);
}

/** Reports whether a JSON value names the person: a text in it has an address, or is an ID. */
export function isAbout(value: unknown, sought: Sought): boolean {
  if (typeof value === 'string') return sought.ids.includes(value) || withoutAddresses(value, sought) !== value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => isAbout(child, sought));
}

/**
 * Returns a copy of a JSON value without the person's data: addresses in texts, the fields of the person's records, and fields of records about the
 * person that name somebody. The copy has the same form, so that readers of the value still understand it. Records about others are unchanged.
 *
 * @param isKnown true if the whole value is known to be about the person, even if it does not name them
 */
export function withoutPerson(value: unknown, sought: Sought, isKnown = false): unknown {
  if (typeof value === 'string') return withoutAddresses(value, sought);
  if (Array.isArray(value)) return value.map((each) => withoutPerson(each, sought, isKnown));
  if (typeof value !== 'object' || value === null || !(isKnown || isAbout(value, sought))) return value;
  const record = value as Record<string, unknown>;
  const isPerson = isRecordOf(record, sought);
  const wasPerson = isRecordOf(record['data'], sought) || isRecordOf(record['object'], sought);
  return Object.fromEntries(
    Object.entries(record).flatMap(([field, child]) => {
      // Left out of events without a customer.
      if (field.startsWith('sale_customer_')) return [];
      if (isPerson && field === 'email' && isAffiliate(record)) return [[field, erasedAddress(String(record['id']))]];
      if (isPerson && field === 'metadata') return [[field, withoutMetadata(child, sought)]];
      if (ABOUT_PERSON.test(field) || (isPerson && OF_PERSON.has(field))) return [[field, emptied(child)]];
      if (isPerson && isOwnRecord(record, sought) && sought.fields?.includes(field)) return [[field, emptied(child)]];
      // Former values of a record of the person, or values of a customer who was merged with the person. They have no ID.
      if ((wasPerson && field === 'previous_attributes') || field === 'merged') return [[field, withoutFields(child, sought)]];
      return [[field, withoutPerson(child, sought, isKnown)]];
    }),
  );
}

/** True for a record of the person: it has an ID or an address of the person. */
function isRecordOf(value: unknown, { ids, addresses, ownIds }: Sought): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, email, psp_customer_id, merged_into, external_id } = value as Record<string, unknown>;
  const has = (texts: readonly string[], text: unknown) => typeof text === 'string' && texts.includes(text);
  if (has(ids, id) || (typeof email === 'string' && addresses.includes(email.toLowerCase()))) return true;
  // An affiliate may be a customer, too.
  if (isAffiliate(value as Record<string, unknown>)) return false;
  const isCustomer = typeof id === 'string' && id.startsWith('cust_');
  return has(ids, psp_customer_id) || has(ids, merged_into) || (isCustomer && has(ownIds, external_id));
}

/** True for the erased record, and for the arguments with which it was created, which have no ID. Another record may have the address of the person. */
function isOwnRecord({ id }: Record<string, unknown>, { ids }: Sought): boolean {
  return id === undefined || (typeof id === 'string' && ids.includes(id));
}

/** True for the record of an affiliate, who always has an address. */
function isAffiliate({ id }: Record<string, unknown>): boolean {
  return typeof id === 'string' && id.startsWith('aff_');
}

function withoutFields(value: unknown, sought: Sought): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => {
      if (field === 'metadata') return [field, withoutMetadata(child, sought)];
      const isLost = OF_PERSON.has(field) || ABOUT_PERSON.test(field) || sought.fields?.includes(field);
      return [field, isLost ? emptied(child) : withoutPerson(child, sought)];
    }),
  );
}

/**
 * Returns the metadata of the person's record without what the merchant noted about the person. At the payment provider, metadata also names the referral
 * and the merchant's own ID, by which the record is recognized.
 */
function withoutMetadata(value: unknown, sought: Sought): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, each]) => key === 'referral' || sought.ownIds.includes(String(each))),
  );
}

/** Returns a value of the same form without content. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([field, child]) => [field, emptied(child)]));
}
