import { z } from 'zod';
import { assertMayGrant } from '../api-keys/api-key.service.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { parseInput } from '../../platform/wire/input.ts';
import { RESOURCES, type SessionRole, roleAtLeast } from '../../platform/access/permissions.ts';
import { id } from '../../platform/wire/scalars.ts';
import { connectorPermissions } from '../connectors/connector-permissions.ts';
import { createAuthorizedConnector, findAuthorizedConnector } from '../connectors/connector.service.ts';
import type { Ctx, Principal, Services, WriteCtx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { lockRole } from '../members/memberships.ts';
import { callerOfSession } from '../sessions/caller.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { consentingTo } from '../auth-library/consented-connector.ts';

/** Query string of the consent page, signed by the authorization server. */
const oauth_query = z.string().min(1).max(16_000);

const ConsentRequest = z.strictObject({ oauth_query });

const Decision = z.discriminatedUnion('accept', [
  z.strictObject({ oauth_query, accept: z.literal(false) }),
  z.strictObject({
    oauth_query,
    accept: z.literal(true),
    account_id: id('account'),
    allow_promo_code_management: z.boolean().default(false),
  }),
]);

/** The client that asks for consent. `client_name` is the client's own, unverified claim. */
interface AskingClient {
  client_name: string;
  /** Host, with the port if any, to which the person is redirected after the decision. */
  redirect_host: string;
  /** True when the redirect goes to a program on the person's own machine. */
  redirects_to_own_machine: boolean;
}

/**
 * Returns the data of the consent page. Needs no session.
 *
 * @throws VALIDATION_ERROR when the request was tampered with or has expired, or when its client was deleted
 */
export async function describeConsentRequest(services: Services, body: unknown): Promise<AskingClient> {
  const { oauth_query } = parseInput(ConsentRequest, body);
  const { client_name, redirect_uri } = await readRequest(services, oauth_query);
  const { host, protocol } = new URL(redirect_uri);
  return { client_name, redirect_host: host, redirects_to_own_machine: protocol !== 'https:' };
}

interface ConsentDecision {
  body: unknown;
  /** Cookie header of the person who allows or denies access. */
  cookie: string | undefined;
  requestId: string;
  /** Called with the new cookies when the session is renewed. */
  onRenewed: (setCookies: string[]) => void;
}

/**
 * Records whether a person allows an assistant to act for an account. Allowing creates a connector of the account, or reuses the connector with
 * which the same person allowed the same client the same permissions.
 *
 * @returns the redirect back to the assistant, with a code or with the refusal
 * @throws UNAUTHORIZED without a session; FORBIDDEN for a person who may not create connectors in that account; VALIDATION_ERROR
 */
export async function decideConsent(
  services: Services,
  { body, cookie, requestId, onRenewed }: ConsentDecision,
): Promise<{ redirect_to: string }> {
  const decision = parseInput(Decision, body);
  const { client_id, client_name } = await readRequest(services, decision.oauth_query);
  if (!decision.accept) return answerAssistant(services, cookie, decision);

  const principal = await callerOfSession(services, cookie, decision.account_id, onRenewed);
  if (principal.kind === 'visitor') throw principal.session ? principal.refusal : signInFirst();
  assertMayConnect(principal.role);
  const permissions = connectorPermissions(undefined, decision.allow_promo_code_management);
  assertMayGrant(principal, permissions);

  const ctx = contextOf(services, principal, requestId);
  const wanted = { oauth_client_id: client_id, user_id: principal.user_id, permissions };
  const present = await findAuthorizedConnector(ctx, wanted);
  const connectorId = present ?? newId('connector', services.clock.now());
  // The code is issued before its connector is created. It is useless until then, and is returned only after the connector is committed.
  const answer = await consentingTo(connectorId, () => answerAssistant(services, cookie, decision));
  if (present === null) {
    await inTransaction(ctx, async (tx) => {
      // The role is locked, so that a concurrent change of the role either comes later and revokes the connector, or came first and is seen
      // here.
      assertMayConnect((await lockRole(tx, principal.user_id)).role ?? 'invitee');
      await lockSession(tx, principal.id);
      await createAuthorizedConnector(tx, connectorId, { ...wanted, name: client_name });
    });
  }
  return answer;
}

function assertMayConnect(role: SessionRole): void {
  const needed = RESOURCES.connectors.write;
  if (roleAtLeast(role, needed)) return;
  throw new DomainError('FORBIDDEN', `Connecting an assistant requires the role ${needed}; your role is ${role}.`);
}

/**
 * Keeps a session from being deleted until this transaction ends. A takeover (`handOver`), which deletes the session, therefore waits and then
 * finds the connector to revoke.
 *
 * @throws UNAUTHORIZED when the session has ended
 */
async function lockSession({ db }: WriteCtx, id: string): Promise<void> {
  const session = await db.selectFrom('auth_session').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  if (!session) throw signInFirst();
}

type Session = Extract<Principal, { kind: 'session' }>;

function contextOf(services: Services, principal: Session, requestId: string): Ctx {
  return {
    services,
    requestId,
    principal,
    surface: 'v1',
    reply: {},
    accountId: principal.account_id,
    clock: services.clock,
    now: toInstant(services.clock.now()),
    db: services.database.kysely,
  };
}

/** Reads the signed request. The authorization server checks the signature before it answers with the client's name. */
async function readRequest(services: Services, oauth_query: string) {
  const query = new URLSearchParams(oauth_query);
  const client_id = query.get('client_id') ?? '';
  const redirect_uri = query.get('redirect_uri') ?? '';
  const { status, body } = await askLibrary(services, {
    path: '/oauth2/public-client-prelogin',
    json: { client_id, oauth_query },
  });
  if (status !== 200) throw outdated();
  return { client_id, redirect_uri, client_name: String(body['client_name']) };
}

/** Makes the authorization server record the decision. Returns the redirect to the assistant. */
async function answerAssistant(
  services: Services,
  cookie: string | undefined,
  { accept, oauth_query }: { accept: boolean; oauth_query: string },
): Promise<{ redirect_to: string }> {
  const { status, body } = await askLibrary(services, {
    path: '/oauth2/consent',
    json: { accept, oauth_query },
    headers: { cookie },
  });
  if (status === 401) throw signInFirst();
  const url = status === 200 && typeof body['url'] === 'string' ? URL.parse(body['url']) : null;
  if (!url?.searchParams.has(accept ? 'code' : 'error')) throw outdated();
  return { redirect_to: url.href };
}

function signInFirst(): DomainError {
  return new DomainError('UNAUTHORIZED', 'Sign in first.');
}

function outdated(): DomainError {
  return invalid('oauth_query', 'This connection request is no longer valid. Start again in the assistant.', 'invalid_request');
}
