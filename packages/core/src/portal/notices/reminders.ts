import { type RawBuilder, sql } from 'kysely';
import { IS_OPEN } from '../../ledger/payouts/payout.entity.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { amountIn, dayIn } from '../../platform/mail/in-language.ts';
import { Failures, Leftovers } from '../../platform/sweeps/failures.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import type { AffiliateMail } from '../../program/affiliate-mails/mail-catalog.ts';
import { GETS_PROGRAM_MAILS } from '../../program/affiliate-mails/program-mails.ts';
import { HAS_NO_METHOD } from '../../program/payout-methods/payout-addresses.ts';
import { changedParagraphs, changesInWords } from '../terms/terms.ts';
import { BATCH, type Notice, notifyOnce } from './notify-once.ts';

/** The columns by which an affiliate is told of something. */
export interface Told {
  account_id: string;
  affiliate_id: string;
  occasion: string;
  to: string;
  time_zone: string;
}

/** Number of days after a change of the terms during which emails about the change are still written, in case no worker ran earlier. */
const TERMS_DAYS = 7;

/**
 * Asks affiliates for payout details if they have an eligible payout but have not entered a payout address. Asks once for each payout. Returns the
 * number of emails.
 */
export async function remindOfPayoutDetails(services: Services, mustStop: MustStop): Promise<number> {
  const now = toInstant(services.clock.now());
  return inBatches(services, 'payout_details_missing', mustStop, async (mayBeTold) => {
    const rows = await payoutView({ db: services.database.kysely, now })
      .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
      .select([
        'payout.id',
        'payout.account_id',
        'payout.amount_cents',
        'payout.currency',
        'affiliate.id as affiliate_id',
        'affiliate.email',
      ])
      .where(IS_OPEN)
      .where('payout.eligible', '=', true)
      .where(mayBeTold(sql`payout.id`))
      .where(HAS_NO_METHOD)
      .orderBy('affiliate.id')
      .limit(BATCH)
      .execute();
    return rows.map(({ id, account_id, affiliate_id, email, ...sum }) => ({
      account_id,
      affiliate_id,
      occasion: id,
      to: email,
      values: { amount: (language) => amountIn(language, sum) },
    }));
  });
}

/** Tells active affiliates about new terms, once for each version. Returns the number of emails. */
export async function tellOfTerms(services: Services, mustStop: MustStop): Promise<number> {
  const since = plusDays(toInstant(services.clock.now()), -TERMS_DAYS);
  return inBatches(services, 'terms_changed', mustStop, async (mayBeTold) => {
    const { rows } = await sql<Told & { body: string; summary: string | null; applies_from: Instant; former: string | null }>`
      select affiliate.account_id, affiliate.id as affiliate_id, terms.version::text as occasion, affiliate.email as "to", terms.body, terms.summary, terms.applies_from,
        former.body as former, time_zone
      from program_terms terms join affiliate on affiliate.account_id = terms.account_id join account on account.id = affiliate.account_id
        left join program_terms former on former.account_id = terms.account_id and former.version = terms.version - 1
      where terms.published_at > ${since}::timestamptz and affiliate.created_at < terms.published_at
        and affiliate.state in ('active', 'suspicious') and affiliate.archived_at is null and ${mayBeTold(sql`terms.version::text`)}
        and not exists (
          select from program_terms newer where newer.account_id = terms.account_id and newer.version > terms.version)
        and not exists (
          select from terms_acceptance accepted where accepted.affiliate_id = affiliate.id and accepted.version = terms.version)
      order by affiliate.id limit ${BATCH}`.execute(services.database.kysely);
    return rows.map(({ body, summary, applies_from, former, time_zone, ...row }) => ({
      ...row,
      values: {
        date: (language) => dayIn(language, applies_from, time_zone),
        summary: summary ?? '',
        changes: (language) =>
          summary !== null || former === null ? '' : changesInWords(language, changedParagraphs(former, body)),
      },
    }));
  });
}

/**
 * Writes the notices that `find` returns, until it returns no more. Writes at most one notice per affiliate in a batch.
 *
 * @param find returns the next notices of affiliates for whom the SQL condition is true: they get emails of the program, have not been told of the occasion, and
 *   no notice to them has failed
 * @throws the first failure, after all other notices have been written
 */
export async function inBatches<Mail extends AffiliateMail>(
  services: Services,
  mail: Mail,
  mustStop: MustStop,
  find: (mayBeTold: (occasion: RawBuilder<unknown>) => RawBuilder<boolean>) => Promise<(Notice<Mail> & { account_id: string })[]>,
): Promise<number> {
  const failures = new Failures(services, 'reminders not written; will be retried');
  const failed: string[] = [];
  const left = new Leftovers();
  let written = 0;
  while (!mustStop()) {
    const found = await find(
      (
        occasion,
      ) => sql`(${GETS_PROGRAM_MAILS} and affiliate.account_id <> all (${failed}::text[]) and affiliate.id <> all (${left.ids}::text[])
        and not exists (
          select from affiliate_notice notice
          where notice.affiliate_id = affiliate.id and notice.mail = ${mail} and notice.occasion = ${occasion}))`,
    );
    const first = [...new Map(found.map((notice) => [notice.affiliate_id, notice])).values()];
    for (const [accountId, notices] of Map.groupBy(first, ({ account_id }) => account_id)) {
      const count = await failures.attempt({ account_id: accountId, mail }, () =>
        notifyOnce(services, { accountId, mail }, notices, left),
      );
      if (count === undefined) failed.push(accountId);
      else written += count;
    }
    if (found.length < BATCH && first.length === found.length) break;
  }
  left.throwCause();
  failures.throwFirst();
  return written;
}
