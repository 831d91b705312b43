/** Entries that merchants write into the custom data or metadata of a checkout. */
import { trimEnds, withoutControls } from '../../platform/wire/typed-text.ts';

/** Keys that say who sent the customer. */
const REFERRAL_KEYS = ['referral', 'affiliate_referral', 'reference_id'] as const;
/** Keys of the merchant's own id of the customer. */
const CUSTOMER_KEYS = ['customer_id', 'external_customer_id', 'user_id'] as const;
/** Keys that exclude a payment if their value is `false`: the key of this service, and those of other affiliate tools. */
const EXCLUDING_KEYS = ['affiliate', 'rewardful', 'referralstack'] as const;
/** Longer values are no reference and no id. */
const MAX_LENGTH = 255;

export interface CustomData {
  referrals: string[];
  externalId: string | null;
  excluded: boolean;
}

/** Reads custom data. Buyers may be able to change it, so that values are only looked up, and other keys mean nothing. */
export function readCustomData(data: unknown): CustomData {
  const known = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const values = (keys: readonly string[]) => keys.flatMap((key) => textOf(known[key]) ?? []);
  return {
    referrals: values(REFERRAL_KEYS),
    externalId: values(CUSTOMER_KEYS)[0] ?? null,
    excluded: values(EXCLUDING_KEYS).some((value) => value.toLowerCase() === 'false'),
  };
}

function textOf(value: unknown): string | null {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return null;
  const text = trimEnds(withoutControls(String(value)).toWellFormed());
  return text === '' || text.length > MAX_LENGTH ? null : text;
}

/** Parameters of a landing page that say who sent the visitor: those of this service, and others that merchants choose. */
const PARAMETERS = ['referral', 'via', 'ref'] as const;

/** Returns what the address of a landing page, which may lack its host, says of who sent the visitor. */
export function referralsInAddress(address: string | null): string[] {
  const parameters = URL.parse(address ?? '', 'https://shop.example')?.searchParams;
  return PARAMETERS.flatMap((name) => textOf(parameters?.get(name)) ?? []);
}
