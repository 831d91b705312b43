import { sql } from 'kysely';
import type { MemberMail } from '../../identity/members/member-mail.states.ts';
import { replaceUnknownTimeZones } from '../../identity/accounts/known-time-zones.ts';
import { tellMembers } from '../../identity/members/member-mails.ts';
import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge-in-batches.ts';
import { sendMailSoon } from '../../platform/mail/outbox.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { DIGESTS, type DueDigest } from './due-digests.ts';

/** A record may become visible up to a minute after its time (docs/domain-rules.md#time). */
const SETTLED_MS = 2 * 60_000;
/** At most one mail of a kind in this time for each account. */
const EVERY_MS = 3_600_000;
/** Days before the present of which the first mail of a kind tells. */
const FIRST_DAYS = 1;

/**
 * Writes the mails that tell members of what has happened since the last one (docs/domain-rules.md#mails-to-members). The mails of an account
 * and the time up to which they tell commit together, so that there is one for each occasion and member, whatever is killed and however many
 * processes run this. Returns the number of accounts that were told of something.
 *
 * @throws the first failure, after the mails of all other accounts have been written
 */
export async function writeMemberDigests(services: Services, mustStop: MustStop): Promise<number> {
  const now = toInstant(services.clock.now());
  const until = plusMilliseconds(now, -SETTLED_MS);
  const times = { now, until, told_before: plusMilliseconds(until, -EVERY_MS), first: plusDays(until, -FIRST_DAYS) };
  // Otherwise the time zone of one account would fail the statement about the payouts of all.
  await replaceUnknownTimeZones(services);
  const failures: unknown[] = [];
  let told = 0;
  for (const { mail, find } of DIGESTS) {
    for (const due of await find(services, times)) {
      if (mustStop()) return told;
      try {
        if (await tell(services, mail, due, until)) told += 1;
      } catch (err) {
        services.log.error({ err, account_id: due.account_id, mail }, 'mails to members not written; tried again later');
        failures.push(err);
      }
    }
  }
  if (told > 0) sendMailSoon(services);
  if (failures.length > 0) throw failures[0];
  return told;
}

/** Moves the progress of an account on, and writes its mails if there is something to tell. */
async function tell(services: Services, mail: MemberMail, due: DueDigest, until: Instant): Promise<boolean> {
  const letter = await due.loadLetter();
  return services.database.transaction(async (_em, db) => {
    const { rows } = await sql`
      insert into member_mail_progress as progress (account_id, mail, until) values (${due.account_id}, ${mail}, ${until}::timestamptz)
      on conflict (account_id, mail) do update set until = excluded.until where progress.until = ${due.told_until}::timestamptz
      returning account_id`.execute(db);
    if (rows.length === 0 || !letter) return false;
    await tellMembers({ services, db, accountId: due.account_id, now: until }, mail, letter);
    return true;
  });
}
