/** Parameters of a page's address that name the tracked link or the referral. */
interface VisitParameters {
  token: string | undefined;
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

/** Reads the parameters of a link from the query and the fragment of a page's address, or from a part of the address. */
export function parseVisitParameters(text: string): VisitParameters {
  const parameters = new URLSearchParams(text.slice(0, MAX_PARSED).replaceAll(/[?#]/g, '&'));
  const token = parameters.getAll('via').find((value) => value !== '' && value.length <= MAX_TOKEN_LENGTH);
  return { token, passedReferralId: parameters.getAll('referral').find((value) => REFERRAL.test(value)) };
}
