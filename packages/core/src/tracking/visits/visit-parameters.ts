/** Parameters of a page's address that name the link which led to it. */
interface VisitParameters {
  token: string | undefined;
  passedReferralId: string | undefined;
}

/** Pages may use a parameter of this name for something else. */
const REFERRAL = /^ref_\w{1,196}$/;
const MAX_TOKEN_LENGTH = 64;
/** Parsing costs time for each parameter, of which a stranger can send tens of thousands. The script sends what follows the first of the two. */
const MAX_PARSED = 8_192;

/** Reads the parameters of a link out of a page's address or a part of it, from its query and its fragment. */
export function parseVisitParameters(text: string): VisitParameters {
  const parameters = new URLSearchParams(text.slice(0, MAX_PARSED).replaceAll(/[?#]/g, '&'));
  const token = parameters.getAll('via').find((value) => value !== '' && value.length <= MAX_TOKEN_LENGTH);
  return { token, passedReferralId: parameters.getAll('referral').find((value) => REFERRAL.test(value)) };
}
