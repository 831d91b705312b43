import { type ClientFacts, type Landing, type Services, type TrackedVisit, botReasonOf } from '@affiliate/core';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { findCard, tagsOf } from '../cards.ts';

const DAY_SECONDS = 86_400;

/** Each account has a cookie of its own, because one browser may visit several merchants of an installation. */
const COOKIE_PREFIX = 'affiliate_referral_';
/** Shape of an account id. Cookies come from strangers, so only names and values that could be ids are used. */
const ACCOUNT_ID = /^acct_\w{1,190}$/;
const REFERRAL_ID = /^\w{1,200}$/;

/** Returns the referrals that a browser remembers, by account. */
export function readReferralCookies({ headers }: Request): Record<string, string> {
  if (headers.cookie === undefined) return {};
  return Object.fromEntries(
    Object.entries(parseCookie(headers.cookie ?? '')).flatMap(([name, value]) => {
      const accountId = name.startsWith(COOKIE_PREFIX) ? name.slice(COOKIE_PREFIX.length) : '';
      return ACCOUNT_ID.test(accountId) && REFERRAL_ID.test(value ?? '') ? [[accountId, value!]] : [];
    }),
  );
}

/** Returns the facts about a visitor that the request states in its URL, headers and client address. */
export function readClient(request: Request, countryHeader: string | undefined): ClientFacts {
  const { headers, ip, url } = request;
  const country = countryHeader === undefined ? undefined : headers[countryHeader.toLowerCase()];
  return {
    address: ip ?? '',
    userAgent: headers['user-agent'],
    referrer: headers.referer,
    origin: headers.origin,
    language: headers['accept-language'],
    country: typeof country === 'string' ? country : undefined,
    query: /\?.*/.exec(url)?.[0] ?? '',
  };
}

/** Headers in which browsers say that they load a page before anybody has asked for it. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** True if a person clicked. HEAD requests and prefetches do not count: browsers prefetch pages that nobody has clicked on. */
export function isClick({ method, headers }: Request): boolean {
  return method === 'GET' && !PURPOSE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')));
}

/**
 * Redirects a visitor, and sets a cookie with the referral. The cookie lasts until the referral expires, but at least a day, because a
 * converted referral still earns after its expiry. The body for a link preview has a card, in case the preview does not follow the redirect.
 */
export async function sendVisitor(
  services: Services,
  { url, account_id, referral }: Landing,
  request: Request,
  response: Response,
): Promise<void> {
  const { publicUrl, clock } = services;
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
  // The page to which the link leads sees the origin of the page with the link, as it would without the redirect.
  response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
  const card =
    botReasonOf(request.headers['user-agent']) === 'preview'
      ? await findCard(
          services,
          { page: 'link', accountId: account_id, destination: url, url: `${publicUrl}${request.originalUrl}` },
          request,
        )
      : null;
  const text = card
    ? `<!doctype html>\n<html lang="${card.language}">\n  <head>\n    <meta charset="utf-8" />\n    ${tagsOf(card)}\n  </head>\n</html>\n`
    : `Found. Redirecting to ${url}`;
  response.statusCode = 302;
  response.location(url);
  response.setHeader('Content-Type', `text/${card ? 'html' : 'plain'}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Shape of a host name as browsers write it. */
const HOST = /^[a-z0-9.-]{1,253}$/;

/**
 * Returns a function that sets the merchant's cookie with the referral, for requests through the merchant's own domain. The tracking script
 * could write the cookie, but browsers keep a script's cookies for a few days only. `cookie_domain` is the domain for which the browser
 * allowed the script to set a cookie. It is missing if the visitor has not consented.
 */
export function rememberAtMerchant({ cookie_domain }: Record<string, unknown>): (output: unknown, response: Response) => void {
  return (output, response) => {
    const { referral_id, max_age } = output as Partial<TrackedVisit>;
    if (typeof cookie_domain !== 'string' || !HOST.test(cookie_domain) || !referral_id || !max_age) return;
    const cookie = { name: 'affiliate_referral', value: referral_id, path: '/', sameSite: 'lax', maxAge: max_age } as const;
    // A cookie's domain must not be a name without a dot, e.g. localhost.
    response.setHeader(
      'Set-Cookie',
      stringifySetCookie(cookie_domain.includes('.') ? { ...cookie, domain: cookie_domain } : cookie),
    );
  };
}
