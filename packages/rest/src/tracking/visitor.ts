import type { Landing, Services } from '@affiliate/core';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

const DAY_SECONDS = 86_400;

/** One cookie per account: a browser may be a visitor of several merchants of one installation. */
const COOKIE_PREFIX = 'affiliate_referral_';
/** Cookies come from strangers: only names and values that could be ids go further. */
const ACCOUNT_ID = /^acct_\w{1,190}$/;
const REFERRAL_ID = /^\w{1,200}$/;

/** The referrals that a browser remembers, by account. */
export function readReferralCookies({ headers }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parseCookie(headers.cookie ?? '')).flatMap(([name, value]) => {
      const accountId = name.startsWith(COOKIE_PREFIX) ? name.slice(COOKIE_PREFIX.length) : '';
      return ACCOUNT_ID.test(accountId) && REFERRAL_ID.test(value ?? '') ? [[accountId, value!]] : [];
    }),
  );
}

/** False for HEAD and for prefetches: browsers fetch pages that nobody has clicked on yet. */
export function isClick({ method, headers }: Request): boolean {
  const purpose = headers['sec-purpose'];
  return method === 'GET' && !(typeof purpose === 'string' && purpose.includes('prefetch'));
}

/**
 * Redirects a visitor, and has the browser remember the referral for as long as it may convert, at least for a day: a referral
 * that has converted is recognised, too.
 */
export function sendVisitor({ publicUrl, clock }: Services, { url, account_id, referral }: Landing, response: Response): void {
  if (referral) {
    const expires = referral.expires_at === null ? 0 : Date.parse(referral.expires_at) - clock.now().getTime();
    const cookie = stringifySetCookie({
      name: `${COOKIE_PREFIX}${account_id}`,
      value: referral.id,
      path: '/t',
      httpOnly: true,
      sameSite: 'lax',
      secure: publicUrl.startsWith('https:'),
      maxAge: Math.max(Math.floor(expires / 1000), DAY_SECONDS),
    });
    response.setHeader('Set-Cookie', cookie);
  }
  response.setHeader('Cache-Control', 'no-store');
  response.redirect(302, url);
}
