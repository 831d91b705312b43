import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { mailGuessedPassword, mailSignInLink } from '../sign-in-links/sign-in-link.ts';
import { askLibrary } from './ask-library.ts';
import type { LinkKind } from './auth.tables.ts';
import { RESET_SECONDS } from './reset-links.ts';

/** Duration of a lease on a request. When the lease has ended, any process may handle the request again, e.g. because the first attempt failed. */
const LEASE_MS = 60_000;
const BATCH = 20;

/** A request for an emailed link. `portal_account_id` is the account whose portal the link opens, for kind `portal`. */
interface LinkRequest {
  kind: LinkKind;
  email: string;
  portal_account_id: string | null;
}

/**
 * Stores a request for an emailed link, to reset a password or to sign in. The email is written later. The call is one insert for known and unknown
 * addresses alike, so that neither the response nor its duration reveals whether the address has an account.
 */
export function requestMailedLink(services: Services, kind: Exclude<LinkKind, 'portal'>, email: string): Promise<void> {
  return noteLinkRequest(services, { kind, email, portal_account_id: null });
}

/** Stores a request, which a worker handles. */
export async function noteLinkRequest(services: Services, request: LinkRequest): Promise<void> {
  const now = toInstant(services.clock.now());
  await services.database.kysely
    .insertInto('password_reset_request')
    .values({
      id: newId('password_reset_request', services.clock.now()),
      ...request,
      lease_until: now,
      expires_at: plusMilliseconds(now, RESET_SECONDS * 1_000),
    })
    .execute();
  services.jobs.send(request.kind === 'portal' ? 'portal_links' : 'mailed_links');
}

/**
 * Handles every waiting request to sign in or to reset a password. A sign-in link is emailed if a user or an affiliate has the address, a reset
 * link if a user has it.
 */
export function mailRequestedLinks(services: Services): Promise<void> {
  return takeLinkRequests(services, ['password_reset', 'sign_in', 'guessed'], async ({ kind, email }) => {
    if (kind === 'sign_in') await mailSignInLink(services, email);
    else if (kind === 'guessed') await mailGuessedPassword(services, email);
    else await askLibrary(services, { path: '/request-password-reset', json: { email } });
  });
}

/**
 * Calls `mail` for every waiting request. A request is deleted only after its email was written, so a crash may cause a second email, but no email
 * is lost. A failure is logged and does not stop the other requests. The failed request is retried after its lease ends, until the request
 * expires. Several processes may run this at once.
 */
export async function takeLinkRequests(
  services: Services,
  kinds: readonly LinkKind[],
  mail: (request: LinkRequest) => Promise<void>,
): Promise<void> {
  const db = services.database.kysely;
  for (;;) {
    const claimed = await claim(db, kinds, toInstant(services.clock.now()));
    for (const { id, ...request } of claimed) {
      try {
        await mail(request);
      } catch (err) {
        const { kind, portal_account_id: account_id } = request;
        services.log.error({ err, request: id, kind, account_id }, 'requested link not mailed; will be retried');
        continue;
      }
      await db.deleteFrom('password_reset_request').where('id', '=', id).execute();
    }
    if (claimed.length < BATCH) return;
  }
}

async function claim(db: Db, kinds: readonly LinkKind[], now: Instant): Promise<(LinkRequest & { id: string })[]> {
  const { rows } = await sql<LinkRequest & { id: string }>`
    update password_reset_request set lease_until = ${plusMilliseconds(now, LEASE_MS)}::timestamptz
    where id in (
      select id from password_reset_request where lease_until <= ${now}::timestamptz and expires_at > ${now}::timestamptz and kind = any (${kinds}::text[])
      order by id limit ${BATCH} for update skip locked
    )
    returning id, kind, email, portal_account_id`.execute(db);
  return rows;
}
