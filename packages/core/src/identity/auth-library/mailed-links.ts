import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { claimDue } from '../../platform/db/claim.ts';
import { Leftovers } from '../../platform/sweeps/failures.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { RESET_SECONDS } from '../members/user.ts';
import { turnOfNetwork } from '../sign-in-links/link-turn.ts';
import { mailGuessedPassword, mailSignInLink } from '../sign-in-links/sign-in-link.ts';
import { askLibrary } from './ask-library.ts';
import type { LinkKind } from './auth.tables.ts';
import { NETWORK_HEADER } from './request-context.ts';

/** Duration of a lease on a request. When the lease has ended, any process may handle the request again, e.g. because the first attempt failed. */
const LEASE_MS = 60_000;
const BATCH = 20;

/** A request for an emailed link. `portal_account_id` is the account whose portal the link opens, for kind `portal`. */
interface LinkRequest {
  kind: LinkKind;
  email: string;
  portal_account_id: string | null;
  /** Network of the requester, by the name of its turn. */
  network: string | null;
}

/**
 * Stores a request for an emailed link, to reset a password or to sign in. The email is written later. The call is one insert for known and unknown
 * addresses alike, so that neither the response nor its duration reveals whether the address has an account.
 */
export function requestMailedLink(
  services: Services,
  kind: Exclude<LinkKind, 'portal'>,
  { email, network }: { email: string; network: string },
): Promise<void> {
  return noteLinkRequest(services, { kind, email, portal_account_id: null, network: turnOfNetwork(network) });
}

/** Stores a request, which a worker handles. */
export async function noteLinkRequest(services: Services, request: LinkRequest): Promise<void> {
  const now = toInstant(services.clock.now());
  await services.database.kysely
    .insertInto('password_reset_request')
    .values({
      id: newId('password_reset_request', services.clock.now()),
      ...request,
      turn: sql<number>`(select count(*) from password_reset_request where network = ${request.network})`,
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
  return takeLinkRequests(services, ['password_reset', 'sign_in', 'guessed'], async ({ kind, email, network }) => {
    if (kind === 'sign_in') await mailSignInLink(services, email, network);
    else if (kind === 'guessed') await mailGuessedPassword(services, email, network);
    else
      await askLibrary(services, {
        path: '/request-password-reset',
        json: { email },
        headers: { [NETWORK_HEADER]: network ?? '' },
      });
  });
}

/**
 * Calls `mail` for every waiting request. A request is deleted only after its email was written, so a crash may cause a second email, but no email
 * is lost. A failure is logged and does not stop the other requests. The failed request is retried after its lease ends, until the request
 * expires. Several processes may run this at once.
 *
 * @throws the error of a request that cannot be claimed, after all others have been handled
 */
export async function takeLinkRequests(
  services: Services,
  kinds: readonly LinkKind[],
  mail: (request: LinkRequest) => Promise<void>,
): Promise<void> {
  const db = services.database.kysely;
  const left = new Leftovers();
  let mayBeMore: boolean;
  do {
    const claimed = await claim(services, kinds, left);
    for (const { id, ...request } of claimed.rows) {
      try {
        await mail(request);
        await db.deleteFrom('password_reset_request').where('id', '=', id).execute();
      } catch (err) {
        const { kind, portal_account_id: account_id } = request;
        services.log.error({ err, request: id, kind, account_id }, 'requested link not mailed; will be retried');
      }
    }
    ({ mayBeMore } = claimed);
  } while (mayBeMore);
  left.throwCause();
}

function claim(services: Services, kinds: readonly LinkKind[], left: Leftovers) {
  const now = toInstant(services.clock.now());
  return claimDue(
    services,
    {
      table: 'password_reset_request',
      isDue: sql`lease_until <= ${now}::timestamptz and expires_at > ${now}::timestamptz and kind = any (${kinds}::text[])`,
      order: ['turn', 'id'],
      limit: BATCH,
      set: sql`lease_until = ${plusMilliseconds(now, LEASE_MS)}::timestamptz`,
      returning: sql<LinkRequest & { id: string }>`id, kind, email, portal_account_id, network`,
    },
    left,
  );
}
