import type { CallContext, SignedIn } from '../../platform/call/context.ts';
import type { SessionRecord } from '../../identity/sessions/session.schema.ts';
import { getSession } from '../../identity/sessions/session.service.ts';
import { readAsAffiliate } from '../access/procedures.ts';
import { getHome } from '../home/home.queries.ts';
import type { PortalHome } from '../home/home.schema.ts';
import type { PortalStart } from './start.schema.ts';

type Affiliation = SessionRecord['affiliations'][number];

/**
 * What the portal shows first, in one answer: a browser that asks for the session, and then for the start page of an account in it, waits
 * twice. The start page is that of `portal.home`, for the affiliate that the person is in that account.
 */
export async function getStart(ctx: CallContext & { session: SignedIn }): Promise<PortalStart> {
  const session = await getSession(ctx);
  const shown = shownAffiliation(session.affiliations, ctx.principal.account_id);
  const hasHome = shown !== null && (shown.state === 'active' || shown.state === 'disabled');
  const home = hasHome ? await homeOf(ctx, shown.account_id) : null;
  return { session, account_id: shown?.account_id ?? null, home };
}

/** Null when it cannot be read: the other pages of the portal work without it, and the home page asks for it again. */
async function homeOf(ctx: CallContext & { session: SignedIn }, accountId: string): Promise<PortalHome | null> {
  try {
    return await readAsAffiliate(ctx, accountId, getHome);
  } catch (error) {
    ctx.services.log.warn(
      { err: error, request_id: ctx.requestId, account_id: accountId },
      'portal opened without its home page',
    );
    return null;
  }
}

/** The place in the account that the request names, or else in the first one where the person is active. */
function shownAffiliation(affiliations: readonly Affiliation[], named: string | null): Affiliation | null {
  return (
    affiliations.find(({ account_id }) => account_id === named) ??
    affiliations.find(({ state }) => state === 'active') ??
    affiliations[0] ??
    null
  );
}
