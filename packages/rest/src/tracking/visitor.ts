import type { ClientFacts, Landing, Services, TrackedVisit } from '@affiliate/core';
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
  if (headers.cookie === undefined) return {};
  return Object.fromEntries(
    Object.entries(parseCookie(headers.cookie ?? '')).flatMap(([name, value]) => {
      const accountId = name.startsWith(COOKIE_PREFIX) ? name.slice(COOKIE_PREFIX.length) : '';
      return ACCOUNT_ID.test(accountId) && REFERRAL_ID.test(value ?? '') ? [[accountId, value!]] : [];
    }),
  );
}

/** The facts in the headers of a visitor's request. */
export function readClient(request: Request, countryHeader: string | undefined): ClientFacts {
  const { headers, ip, url } = request;
  const country = countryHeader === undefined ? undefined : headers[countryHeader.toLowerCase()];
  return {
    address: ip ?? '',
    userAgent: headers['user-agent'],
    referrer: headers.referer,
    language: headers['accept-language'],
    country: typeof country === 'string' ? country : undefined,
    query: /\?.*/.exec(url)?.[0] ?? '',
  };
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
export function sendVisitor(
  { publicUrl, clock }: Services,
  { url, account_id, referral }: Landing,
  request: Request,
  response: Response,
): void {
  if (referral) {
    const expires = referral.expires_at === null ? 0 : Date.parse(referral.expires_at) - clock.now().getTime();
    const cookie = stringifySetCookie({
      name: `${COOKIE_PREFIX}${account_id}`,
      value: referral.id,
      path: `${request.baseUrl}/t`,
      httpOnly: true,
      sameSite: 'lax',
      secure: publicUrl.startsWith('https:'),
      maxAge: Math.max(Math.floor(expires / 1000), DAY_SECONDS),
    });
    response.setHeader('Set-Cookie', cookie);
  }
  response.setHeader('Cache-Control', 'no-store');
  const text = `Found. Redirecting to ${url}`;
  response.statusCode = 302;
  response.location(url);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** A host name as browsers write it. */
const HOST = /^[a-z0-9.-]{1,253}$/;

/**
 * On a merchant's own domain: sets the cookie that the tracking script would write otherwise, because browsers keep those of scripts for a
 * few days only. `cookie_domain` is where the browser let the script store something; without it the visitor has not consented.
 */
export function rememberAtMerchant({ cookie_domain }: Record<string, unknown>): (output: unknown, response: Response) => void {
  return (output, response) => {
    const { referral_id, max_age } = output as Partial<TrackedVisit>;
    if (typeof cookie_domain !== 'string' || !HOST.test(cookie_domain) || !referral_id || !max_age) return;
    const cookie = { name: 'affiliate_referral', value: referral_id, path: '/', sameSite: 'lax', maxAge: max_age } as const;
    // A domain without a dot, e.g. localhost, is the host itself.
    response.setHeader(
      'Set-Cookie',
      stringifySetCookie(cookie_domain.includes('.') ? { ...cookie, domain: cookie_domain } : cookie),
    );
  };
}
