import { parseCookie, stringifySetCookie } from 'cookie';

const DAY_SECONDS = 86_400;

/** One cookie per account: a browser may be a visitor of several merchants of one installation. */
function nameFor(accountId: string): string {
  return `affiliate_referral_${accountId}`;
}

export function readReferralCookie(header: string | undefined, accountId: string): string | undefined {
  const value = header === undefined ? undefined : parseCookie(header)[nameFor(accountId)];
  // What a browser sends is anybody's: only what could be an id is looked up.
  return value !== undefined && /^\w{1,200}$/.test(value) ? value : undefined;
}

/** Kept for as long as the referral may convert; for a day at least, to recognise one that has converted. */
export function referralCookie(
  accountId: string,
  referral: { id: string; expires_at: string | null },
  now: Date,
  secure: boolean,
): string {
  const seconds = referral.expires_at === null ? 0 : Math.floor((Date.parse(referral.expires_at) - now.getTime()) / 1000);
  return stringifySetCookie({
    name: nameFor(accountId),
    value: referral.id,
    path: '/t',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: Math.max(seconds, DAY_SECONDS),
  });
}
