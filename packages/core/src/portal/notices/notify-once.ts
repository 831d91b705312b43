import { type RawBuilder, sql } from 'kysely';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { changeApart } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { Failures, Leftovers } from '../../platform/sweeps/failures.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Digest } from '../../platform/wire/states.ts';
import { type AffiliateCopy, mailAffiliates } from '../../program/affiliate-mails/affiliate-mail.ts';
import type { AffiliateMail } from '../../program/affiliate-mails/mail-catalog.ts';
import { GETS_PROGRAM_MAILS } from '../../program/affiliate-mails/program-mails.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /**
     * Records that an affiliate has got an email for an occasion. It is written in the same transaction as the email, so that the email is never written
     * twice, even if the process is killed.
     */
    affiliate_notice: {
      affiliate_id: string;
      mail: AffiliateMail;
      /** Version of the terms, id of the payout or of the commission, or instant at which the digest's period ended. */
      occasion: string;
      account_id: string;
      created_at: Instant;
    };
    /** The day up to which an account's digests of one kind have been written. */
    digest_progress: {
      account_id: string;
      digest: Exclude<Digest, 'none' | 'each'>;
      /** Date in the account's time zone. The day itself is not included. */
      until: string;
    };
  }
}

/** Maximum number of emails in one transaction. */
export const BATCH = 200;

/** An affiliate's copy of an email that is sent once per occasion. */
export interface Notice<Mail extends AffiliateMail> extends AffiliateCopy<Mail> {
  occasion: string;
}

/**
 * Writes emails to affiliates of an account. Skips affiliates who already got this email for the same occasion. The email and the record that it was
 * written are committed together. The outbox therefore gets each email exactly once, even if a process is killed or several processes call
 * this function at once. An email that cannot be written holds up no other.
 *
 * @param notices at most one for each affiliate
 * @param left gets the ids of affiliates whose email could not be written
 * @returns the number of emails written
 */
export async function notifyOnce<Mail extends AffiliateMail>(
  services: Services,
  { accountId, mail }: { accountId: string; mail: Mail },
  notices: readonly Notice<Mail>[],
  left: Leftovers,
): Promise<number> {
  const write = (some: readonly Notice<Mail>[]) =>
    inTransaction(systemContext(services, accountId, `notice of ${mail}`), async (ctx) => {
      const fresh = await claimOccasions(ctx, mail, some);
      const copies = some.filter(({ affiliate_id }) => fresh.has(affiliate_id));
      await mailAffiliates(ctx, mail, copies);
      return copies;
    });
  const { rows } = await changeApart(
    services,
    {
      table: 'affiliate_notice',
      find: notices.map(({ affiliate_id }) => affiliate_id),
      change: (ids) => write(ids === null ? notices : notices.filter(({ affiliate_id }) => ids.includes(affiliate_id))),
    },
    left,
  );
  return rows.length;
}

/**
 * Records the notices that are not recorded yet. Returns the ids of their affiliates. Inserts in the order of ids, so that two processes cannot
 * deadlock.
 */
async function claimOccasions(
  ctx: WriteCtx,
  mail: AffiliateMail,
  notices: readonly { affiliate_id: string; occasion: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ affiliate_id: string }>`
    insert into affiliate_notice (affiliate_id, mail, occasion, account_id, created_at)
    select affiliate_id, ${mail}, occasion, ${ctx.accountId}, ${ctx.now}::timestamptz
    from unnest(${notices.map(({ affiliate_id }) => affiliate_id)}::text[], ${notices.map(({ occasion }) => occasion)}::text[])
      as notice (affiliate_id, occasion)
    order by affiliate_id
    on conflict do nothing
    returning affiliate_id`.execute(ctx.db);
  return new Set(rows.map(({ affiliate_id }) => affiliate_id));
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
