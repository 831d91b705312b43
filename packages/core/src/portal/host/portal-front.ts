import { sql } from 'kysely';
import { KEEPS_PORTAL } from '../../identity/affiliations/affiliations.ts';
import { LANGUAGE_OF_AFFILIATE } from '../../identity/affiliations/mail-language.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import { noteLinkRequest, takeLinkRequests } from '../../identity/auth-library/mailed-links.ts';
import { BRAND_NAME, brandOf, loadLetterhead } from '../../identity/branding/branding.ts';
import { clientNetwork } from '../../identity/sessions/client-network.ts';
import { turnOfLink, turnOfNetwork } from '../../identity/sign-in-links/link-turn.ts';
import type { PublicCtx, Services } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { jobOf, type Purpose } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { newId } from '../../platform/wire/ids.ts';
import { createMailedLink } from '../entry/portal-access.ts';
import { HAS_SECOND_FACTOR } from '../entry/portal-affiliate.ts';
import { portalLinkMail, portalSignInMail } from '../portal-mails.ts';
import type { PortalFront, RequestPortalLink } from './portal-host.ts';

const PORTAL_LINK = { kind: 'portal_link', priority: 'urgent', accountId: null } as const satisfies Purpose;
const PER_NETWORK = { max: 20, windowSeconds: 3_600 };
const PER_EMAIL = { max: 5, windowSeconds: 3_600 };

/** Returns the brand that a portal host shows before anybody has signed in. Throws NOT_FOUND on the service's own host. */
export async function getPortalFront({ services, hostAccountId }: PublicCtx): Promise<PortalFront> {
  const account = await services.database.kysely
    .selectFrom('account')
    .select(['id as account_id', BRAND_NAME.as('account_name'), 'brand_color', 'logo_hash', 'support_email'])
    .where('id', '=', hostOf({ hostAccountId }))
    .executeTakeFirst();
  if (!account) throw notFound('portal');
  return { account_name: account.account_name, brand: brandOf(account) };
}

/**
 * Emails a link that opens the portal, if the address belongs to an affiliate of this host's account. The email is written after the response, so
 * that neither the response nor its duration reveals who is an affiliate.
 *
 * @throws NOT_FOUND on the service's own host; RATE_LIMITED
 */
export async function requestPortalLink(
  { services, clientAddress, hostAccountId }: PublicCtx,
  { email }: RequestPortalLink,
): Promise<{ email: string }> {
  const accountId = hostOf({ hostAccountId });
  const network = clientNetwork(clientAddress ?? 'unknown');
  await countAttempt(services, `portal link from ${network}`, PER_NETWORK);
  await countAttempt(services, `portal link of ${accountId} to ${email.toLowerCase()}`, PER_EMAIL);
  await noteLinkRequest(services, { kind: 'portal', email, portal_account_id: accountId, network: turnOfNetwork(network) });
  return { email };
}

/** Handles every waiting request for a portal link. */
export function mailRequestedPortalLinks(services: Services): Promise<void> {
  return takeLinkRequests(services, ['portal'], ({ email, portal_account_id, network }) =>
    mailPortalLink(services, {
      accountId: portal_account_id!,
      email,
      network,
      requestId: newId('password_reset_request', services.clock.now()),
    }),
  );
}

/**
 * Sends an email to the affiliate with the given address. Its link opens the portal, and works once, within 15 minutes. An affiliate with a second
 * factor gets a link to the sign-in page instead, which asks for the code. Does nothing if no affiliate has the address.
 */
export async function mailPortalLink(
  services: Services,
  { accountId, email, network, requestId }: { accountId: string; email: string; network: string | null; requestId: string },
): Promise<void> {
  await inTransaction(systemContext(services, accountId, requestId), async (ctx) => {
    const affiliate = await ctx.db
      .selectFrom('affiliate')
      .select(['id', 'email', HAS_SECOND_FACTOR.as('has_second_factor'), LANGUAGE_OF_AFFILIATE.as('language')])
      .where('account_id', '=', accountId)
      .where(KEEPS_PORTAL)
      .where(sameText('email', email))
      .orderBy(sql`affiliate.archived_at is not null`)
      .executeTakeFirst();
    if (!affiliate) return;
    const letterhead = await loadLetterhead(ctx.db, services.publicUrl, accountId);
    const { email: to, language } = affiliate;
    const purpose = { ...PORTAL_LINK, turn: await turnOfLink(ctx.db, { email: to, network, accountId }) };
    if (affiliate.has_second_factor) {
      const mail = portalSignInMail({ to, language, letterhead, publicUrl: services.publicUrl });
      return enqueueMail(services, ctx.db, purpose, mail, plusDays(ctx.now, 1));
    }
    const { token, expires_at } = await createMailedLink(ctx, affiliate);
    await enqueueMail(services, ctx.db, purpose, portalLinkMail({ to, language, letterhead, token }), expires_at);
  });
  services.jobs.send(jobOf(PORTAL_LINK));
}

function hostOf({ hostAccountId }: Pick<PublicCtx, 'hostAccountId'>): string {
  if (hostAccountId === undefined) throw notFound('portal host');
  return hostAccountId;
}
