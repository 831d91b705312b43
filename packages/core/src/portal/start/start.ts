import { z } from 'zod';
import { getSession, SessionRecord } from '../../identity/sessions/session.ts';
import type { CallContext, SignedIn } from '../../platform/call/context.ts';
import { id } from '../../platform/wire/scalars.ts';
import { readAsAffiliate } from '../access/procedures.ts';
import { getHome, sumEarnings } from '../home/home.queries.ts';
import { PortalHome } from '../home/home.schema.ts';

export const PortalStart = z
  .object({
    session: SessionRecord,
    account_id: id('account')
      .nullable()
      .describe(
        'Account whose portal is shown: the account that the request names, otherwise the first one in which the person is active, otherwise the first one.',
      ),
    home: PortalHome.nullable().describe(
      'Start page of the portal in this account; `null` for applicants, for people who are not affiliates, and if it cannot be read.',
    ),
  })
  .meta({ id: 'PortalStart', description: 'The session of a signed-in person, and the first page of the portal.' });
export type PortalStart = z.infer<typeof PortalStart>;

export const PortalSums = z
  .object({
    data: z.array(z.object({ account_id: id('account'), account_name: z.string(), earnings: PortalHome.shape.earnings })),
  })
  .meta({ id: 'PortalSums', description: 'What a person has earned in each of their programs.' });
export type PortalSums = z.infer<typeof PortalSums>;

type Affiliation = SessionRecord['affiliations'][number];

/**
 * Returns what the portal shows first, in one response. Otherwise a browser would have to request the session and, after that, the start page.
 * `home` is the result of `portal.home` for the person's affiliate in the chosen account.
 */
export async function getStart(ctx: CallContext & { session: SignedIn }): Promise<PortalStart> {
  const session = await getSession(ctx);
  const shown = shownAffiliation(session.affiliations, ctx.principal.account_id);
  const hasHome = shown !== null && canRead(shown);
  const home = hasHome ? await homeOf(ctx, shown.account_id) : null;
  return { session, account_id: shown?.account_id ?? null, home };
}

/** Returns what the person has earned in each program that they can read. */
export async function getSums(ctx: CallContext & { session: SignedIn }): Promise<PortalSums> {
  const { affiliations } = await getSession(ctx);
  const readable = affiliations.filter(canRead);
  const data = await Promise.all(
    readable.map(async ({ account_id, account_name }) => ({
      account_id,
      account_name,
      earnings: await readAsAffiliate(ctx, account_id, sumEarnings),
    })),
  );
  return { data };
}

function canRead({ state }: Affiliation): boolean {
  return state === 'active' || state === 'disabled';
}

/** Returns the start page, or null if it cannot be read. The rest of the portal works without the start page, and the browser requests it again. */
async function homeOf(ctx: CallContext & { session: SignedIn }, accountId: string): Promise<PortalHome | null> {
  try {
    return await readAsAffiliate(ctx, accountId, getHome);
  } catch (error) {
    ctx.services.log.warn(
      { err: error, request_id: ctx.requestId, account_id: accountId },
      'the start page of the portal could not be read; the browser requests it again',
    );
    return null;
  }
}

/** Chooses the affiliation to show: in the account that the request names, otherwise the first active one, otherwise the first one. */
function shownAffiliation(affiliations: readonly Affiliation[], named: string | null): Affiliation | null {
  return (
    affiliations.find(({ account_id }) => account_id === named) ??
    affiliations.find(({ state }) => state === 'active') ??
    affiliations[0] ??
    null
  );
}
