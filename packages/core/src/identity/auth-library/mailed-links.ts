import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { mailSignInLink } from '../sign-in-links/sign-in-link.ts';
import { askLibrary } from './ask-library.ts';
import type { LinkKind } from './auth.tables.ts';
import { RESET_SECONDS } from './reset-links.ts';

/** Time after which another process takes over a request, and one that failed is tried again. */
const LEASE_MS = 60_000;
const BATCH = 20;

/** A request for a link that waits for its mail. `portal_account_id`: the account whose portal it opens, for kind `portal`. */
interface LinkRequest {
  kind: LinkKind;
  email: string;
  portal_account_id: string | null;
}

/**
 * Notes that somebody asked for a link by mail: to reset the password of an address, or to sign in. The mail follows later. For known
 * and unknown addresses alike this is one insert, so that neither the response nor its duration reveals who has an account.
 */
export function requestMailedLink(services: Services, kind: Exclude<LinkKind, 'portal'>, email: string): Promise<void> {
  return noteLinkRequest(services, { kind, email, portal_account_id: null }, mailRequestedLinks);
}

/** Notes a request, and has it mailed after the response has been written. A sweep of the worker repeats it when this process dies. */
export async function noteLinkRequest(
  services: Services,
  request: LinkRequest,
  mail: (services: Services) => Promise<void>,
): Promise<void> {
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
  setImmediate(() => {
    mail(services).catch((error: unknown) => services.log.error({ err: error }, 'requested links not mailed'));
  });
}

/** Mails a link for every waiting request to sign in or to reset a password whose address has a user. */
export function mailRequestedLinks(services: Services): Promise<void> {
  return takeLinkRequests(services, ['password_reset', 'sign_in'], async ({ kind, email }) => {
    if (kind === 'sign_in') await mailSignInLink(services, email);
    else await askLibrary(services, { path: '/request-password-reset', json: { email } });
  });
}

/**
 * Works off waiting requests. Several processes may do so at once. At least once: a request is deleted when its mail is in the outbox. One that
 * fails is logged and holds up no other. It is tried again when its lease has ended, until it expires.
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
        services.log.error({ err, request: id, kind, account_id }, 'requested link not mailed; tried again later');
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
