import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '../call/context.ts';
import { liveAccountOf } from '../call/test-account-id.ts';
import type { Db } from '../db/database.ts';
import { rateLimited } from '../errors/errors.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../time/instant.ts';
import type { Purpose } from './mailer.ts';

declare module '../call/context.ts' {
  interface Services {
    /** Maximum number of invitations that an account may mail in an hour. Default: `DEFAULT_INVITATIONS_PER_HOUR`. */
    invitationsPerHour?: number;
  }
}

const HOUR_MS = 3_600_000;
/** Maximum number of invitations that an account may mail in an hour, unless the operator sets another. */
export const DEFAULT_INVITATIONS_PER_HOUR = 1_000;
/** Share of the maximum that a new account has. The share grows daily until the account is `GROWN_DAYS` old. */
const SHARE_AT_FIRST = 0.2;
const GROWN_DAYS = 30;
/** Maximum number of messages of a kind that an account sends to a person in a day. Beyond it, news are joined and invitations are refused. */
export const MOST_A_DAY = 5;
/** Time for which a message counts. */
export const COUNTED_DAYS = 1;

/** Returns the form in which an address is counted: a hash, because it names a person. */
export function recipientOf(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('base64url');
}

/**
 * Checks that an account may mail another invitation, and that the person has not got too many of them (docs/rules/platform.md#budgets-of-mail).
 * Messages of a test account count for its live account. Otherwise each deletion of the test data would begin a new budget.
 *
 * @throws RATE_LIMITED with the seconds until the account may mail the invitation
 */
export async function assertMayInvite(services: Services, db: Db, { kind, accountId }: Purpose, to: string): Promise<void> {
  const now = toInstant(services.clock.now());
  const perHour = services.invitationsPerHour ?? DEFAULT_INVITATIONS_PER_HOUR;
  const { rows } = await sql<{ of_account: Instant | null; of_person: Instant | null }>`
    select
      (select posted_at from posted_mail
       where account_id = account.id and kind = ${kind} and posted_at > ${plusMilliseconds(now, -HOUR_MS)}::timestamptz
       order by posted_at desc
       offset greatest(1, floor(${perHour}::numeric * least(1, greatest(${SHARE_AT_FIRST}::numeric,
         extract(epoch from ${now}::timestamptz - account.created_at) / 86400 / ${GROWN_DAYS})))) - 1 limit 1) as of_account,
      (select posted_at from posted_mail
       where recipient = ${recipientOf(to)} and kind = ${kind} and account_id = account.id
         and posted_at > ${plusDays(now, -COUNTED_DAYS)}::timestamptz
       order by posted_at desc offset ${MOST_A_DAY - 1} limit 1) as of_person
    from account where id = ${liveAccountOf(accountId ?? '')}`.execute(db);
  const [{ of_account, of_person } = { of_account: null, of_person: null }] = rows;
  const ends = [
    ...(of_account === null ? [] : [plusMilliseconds(of_account, HOUR_MS)]),
    ...(of_person === null ? [] : [plusDays(of_person, COUNTED_DAYS)]),
  ];
  const last = ends.toSorted().at(-1);
  if (last !== undefined) throw rateLimited(Math.max(1, Math.ceil((Date.parse(last) - Date.parse(now)) / 1_000)));
}
