import { randomFillSync } from 'node:crypto';

/** The prefix of each kind of record. */
export const ID_PREFIXES = {
  account: 'acct',
  user: 'usr',
  api_key: 'key',
  api_request: 'req',
  campaign: 'camp',
  affiliate: 'aff',
  link: 'link',
  referral: 'ref',
  customer: 'cust',
  sale: 'sale',
  refund: 'refund',
  attribution_claim: 'claim',
  reward_rule: 'rule',
  tier: 'tier',
  commission: 'com',
  payout: 'payout',
  payout_method: 'pmth',
  payout_attempt: 'patt',
  payout_batch: 'pbat',
  payout_export: 'pexp',
  payout_run: 'prun',
  payout_rail: 'rail',
  payout_screening: 'pscr',
  invitation: 'inv',
  affiliate_coupon: 'coup',
  promo_code: 'pca',
  webhook_endpoint: 'whe',
  event: 'evt',
  delivery: 'dlv',
  attempt: 'att',
  connection: 'conn',
  connector: 'cntr',
  operation: 'op',
  audit_entry: 'aud',
  previewed_call: 'prv',
  credential: 'cred',
  session: 'sess',
  verification: 'verf',
  second_factor: 'sfac',
  oauth_client: 'ocl',
  oauth_resource: 'ores',
  oauth_client_resource: 'ocr',
  oauth_refresh_token: 'ort',
  oauth_access_token: 'oat',
  oauth_consent: 'ocon',
  oauth_client_assertion: 'oca',
  portal_access: 'pac',
  application: 'app',
  asset: 'asset',
  mail: 'mail',
  password_reset_request: 'prr',
  erasure: 'eras',
  import: 'imp',
  import_row: 'irow',
} as const;

/** Maximum length of an id of any kind. */
export const MAX_ID_LENGTH = 200;

/** Reports whether `text` is short enough to be an id. */
export function isPossibleId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH;
}

export type RecordKind = keyof typeof ID_PREFIXES;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const NOISE_PER_ID = 16;
/** Random bytes for the next ids. Drawn in bulk, because a separate draw for each id would take longer than the rest of making the id. */
const pool = new Uint8Array(256 * NOISE_PER_ID);
let drawn = pool.length;
let lastMilliseconds = -1;
let counter = 0;

function nextNoise(): Uint8Array {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += NOISE_PER_ID;
  return pool.subarray(drawn - NOISE_PER_ID, drawn);
}

/**
 * Makes a TypeID from a UUIDv7: the kind's prefix and 26 base32 characters that sort by creation time. Ids created in one process
 * within the same millisecond sort in creation order.
 */
export function newId(kind: RecordKind, at: Date): string {
  const milliseconds = at.getTime();
  const noise = nextNoise();
  if (milliseconds === lastMilliseconds && counter < 0xfff) counter += 1;
  else counter = noise[0]! & 0x7f;
  lastMilliseconds = milliseconds;

  // Version 7 (0111) and the 12 counter bits, variant (10) and two random bits: four characters. Then 60 random bits.
  let suffix =
    ALPHABET[14 + (counter >> 11)]! +
    ALPHABET[(counter >> 6) & 31]! +
    ALPHABET[(counter >> 1) & 31]! +
    ALPHABET[((counter & 1) << 4) + 8 + (noise[1]! & 3)]!;
  for (let i = 2; i < 14; i += 1) suffix += ALPHABET[noise[i]! & 31]!;
  return `${ID_PREFIXES[kind]}_${timePart(at)}${suffix}`;
}

/** Returns the lower bound of ids created at or after `at`, to select a time range through the primary key. */
export function firstIdAt(kind: RecordKind, at: Date): string {
  return `${ID_PREFIXES[kind]}_${timePart(at)}`;
}

/** Maximum difference between the time in an id and the `created_at` of its row. */
export const ID_SLACK_MS = 3_600_000;

const ID_SEGMENT = new RegExp(`(?<=/)(?:${Object.values(ID_PREFIXES).join('|')})_[${ALPHABET}]{26}(?=/|$)`, 'g');

const RECORD_ID = new RegExp(`^(?:${Object.values(ID_PREFIXES).join('|')})_[${ALPHABET}]{26}$`);

/** Reports whether `text` is a well-formed id of any kind of record. */
export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text);
}

/** Returns the UUID of which an id was made, for systems that take nothing else. */
export function uuidOf(id: string): string {
  const suffix = id.slice(id.lastIndexOf('_') + 1);
  let value = 0n;
  for (const character of suffix) value = value * 32n + BigInt(ALPHABET.indexOf(character));
  return value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the id of a kind that was made of a UUID. The reverse of `uuidOf`. Null for a text that is not a UUID. */
export function idOfUuid(kind: RecordKind, uuid: string): string | null {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(uuid)) return null;
  let value = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let suffix = '';
  for (let at = 0; at < 26; at += 1) {
    suffix = ALPHABET[Number(value & 31n)]! + suffix;
    value >>= 5n;
  }
  return `${ID_PREFIXES[kind]}_${suffix}`;
}

/** Returns the segments of a path that are well-formed ids. Only these may be logged, because other segments may be secret. */
export function idsInPath(path: string): string[] {
  return path.match(ID_SEGMENT) ?? [];
}

/** Reports whether `id` is a well-formed id of this kind and was made before `at`. */
export function isIdBefore(kind: RecordKind, id: string, at: Date): boolean {
  const [prefix, rest] = [id.slice(0, -26), id.slice(-26)];
  return (
    prefix === `${ID_PREFIXES[kind]}_` &&
    Array.from(rest).every((character) => ALPHABET.includes(character)) &&
    id < firstIdAt(kind, at)
  );
}

/** Returns the ten characters of ids made at `at`, which follow the prefix. Their order is the order of the instants. */
export function timePart(at: Date): string {
  let time = '';
  for (let rest = at.getTime(), i = 0; i < 10; i += 1) {
    time = ALPHABET[rest % 32]! + time;
    rest = Math.floor(rest / 32);
  }
  return time;
}
