import { tokenKey } from './link-target.ts';

/** Parameters of a page's address that name the tracked link or the referral. */
interface VisitParameters {
  /** Values that may be the token of a link, in the order in which they count. */
  tokens: string[];
  passedReferralId: string | undefined;
}

/** Matches ids of referrals only, because pages may use a parameter named `referral` for something else. */
const REFERRAL = /^ref_\w{1,196}$/;
const MAX_TOKEN_LENGTH = 64;
/**
 * Maximum number of characters that are parsed. Each parameter takes time to parse, and a stranger can send tens of thousands. The tracking
 * script sends only the part of the address that starts with the first `via` or `referral`, so that long addresses work, too.
 */
const MAX_PARSED = 8_192;

/** Maximum number of values that are looked up as tokens for one visit. */
const MAX_TOKENS = 4;

/**
 * Reads the parameters of a link from the query and the fragment of a page's address, or from a part of the address.
 * There may be several values of `via`: the tracking script replaces the names of other parameters by `via`, which the page may also use for
 * something else.
 */
export function parseVisitParameters(text: string): VisitParameters {
  const parameters = [...new URLSearchParams(text.slice(0, MAX_PARSED).replaceAll(/[?#]/g, '&'))];
  // Some mail programs and forms change the case of addresses.
  const valuesOf = (wanted: string) => parameters.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
  const tokens = [...new Set(valuesOf('via').map(tokenKey))].filter((token) => token !== '' && token.length <= MAX_TOKEN_LENGTH);
  return {
    tokens: tokens.slice(0, MAX_TOKENS),
    passedReferralId: valuesOf('referral').find((value) => REFERRAL.test(value)),
  };
}
