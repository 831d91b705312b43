import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError, type Services, mailReportsIn, notFound, recordMailReports, untranslated } from '@affiliate/core';
import { Router } from 'express';
import { readJson } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { stateOf } from './request-state.ts';

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
