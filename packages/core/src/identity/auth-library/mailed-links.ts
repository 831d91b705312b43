import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { mailSignInLink } from '../sign-in-links/sign-in-link.ts';
import { askLibrary } from './ask-library.ts';
import type { LinkKind } from './auth.tables.ts';
import { RESET_SECONDS } from './reset-links.ts';

/** Time after which another process takes over a request. */
const LEASE_MS = 60_000;
const BATCH = 20;

/**
 * Notes that somebody asked for a link by mail: to reset the password of an address, or to sign in. The mail follows later. For known
 * and unknown addresses alike this is one insert, so that neither the response nor its duration reveals who has an account.
 */
export async function requestMailedLink(services: Services, kind: LinkKind, email: string): Promise<void> {
  const now = toInstant(services.clock.now());
  await services.database.kysely
    .insertInto('password_reset_request')
    .values({
      id: newId('password_reset_request', services.clock.now()),
      kind,
      email,
      lease_until: now,
      expires_at: plusMilliseconds(now, RESET_SECONDS * 1_000),
    })
    .execute();
  // After the response has been written. A sweep of the worker repeats it when this process dies.
  setImmediate(() => {
    mailRequestedLinks(services).catch((error: unknown) => services.log.error({ err: error }, 'requested links not mailed'));
  });
}

/**
 * Mails a link for every waiting request whose address has a user. Several processes may run it at once. At least once: a request is
 * deleted when its mail is in the outbox.
 */
export async function mailRequestedLinks(services: Services): Promise<void> {
  const db = services.database.kysely;
  for (;;) {
    const claimed = await claim(db, toInstant(services.clock.now()));
    for (const { id, kind, email } of claimed) {
      if (kind === 'sign_in') await mailSignInLink(services, email);
      else await askLibrary(services, { path: '/request-password-reset', json: { email } });
      await db.deleteFrom('password_reset_request').where('id', '=', id).execute();
    }
    if (claimed.length < BATCH) return;
  }
}

async function claim(db: Db, now: Instant): Promise<{ id: string; kind: LinkKind; email: string }[]> {
  const { rows } = await sql<{ id: string; kind: LinkKind; email: string }>`
    update password_reset_request set lease_until = ${plusMilliseconds(now, LEASE_MS)}::timestamptz
    where id in (
      select id from password_reset_request where lease_until <= ${now}::timestamptz
      order by id limit ${BATCH} for update skip locked
    )
    returning id, kind, email`.execute(db);
  return rows;
}
