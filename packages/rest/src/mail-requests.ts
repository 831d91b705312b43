import { createHash, timingSafeEqual } from 'node:crypto';
import {
  DomainError,
  type Services,
  mailReportsIn,
  notFound,
  recordMailReports,
  untranslated,
  emailChoice,
} from '@affiliate/core';
import { Router } from 'express';
import { readJson } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf, urlOf } from './request-state.ts';

/** Common part of wrong tokens, for the limit of attempts. */
const SUBJECT = 'mail reports';

/**
 * Serves `POST /mail/reports/<token>`: webhooks of the mail provider about complaints, and about addresses that do not exist. The token is in the path,
 * because that is the only place for it that every provider offers.
 *
 * @param token `MAIL_REPORTS_TOKEN`. Without it, the path does not exist
 */
export function mailReports(services: Services, limits: RateLimits, token: string | undefined): Router {
  return Router().post('/mail/reports/:token', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/mail/reports';
    if (token === undefined) throw notFound('path');
    limits.assertMayTry(request, SUBJECT);
    if (!isSame(String(request.params['token']), token)) {
      await limits.countFailure(request, SUBJECT);
      throw new DomainError(
        'UNAUTHORIZED',
        untranslated('The token in the path is wrong. Use the value of `MAIL_REPORTS_TOKEN`.'),
      );
    }
    const reports = mailReportsIn(await readJson(request, response));
    await recordMailReports(services, reports);
    response.status(200).json({ recorded: reports.length });
  });
}

/** Compares texts in a time that does not depend on them. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

/**
 * Serves `POST /unsubscribe?token=…`, which mail programs request for their one-click unsubscribe button (RFC 8058). The body is the form
 * `List-Unsubscribe=One-Click`, URL-encoded or multipart. It is not evaluated, because the token in the URL identifies the recipient and
 * the emails. The page with the same URL is for people, asks before it unsubscribes them, and can undo it.
 */
export function oneClickUnsubscribe(services: Services, limits: RateLimits): Router {
  const router = Router();
  router.post('/unsubscribe', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/unsubscribe';
    await readRawBody(request, response, ofStranger());
    await emailChoice(services, urlOf(request).searchParams.get('token') ?? '', false);
    response.status(200).type('text').send('You will not get these emails any more.\n');
  });
  return router;
}
