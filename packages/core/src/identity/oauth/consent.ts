import { z } from 'zod';
import { assertMayGrant } from '../api-keys/api-key.service.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { parseInput } from '../../platform/wire/input.ts';
import { RESOURCES, type SessionRole, roleAtLeast } from '../../platform/access/permissions.ts';
import { id } from '../../platform/wire/scalars.ts';
import { connectorPermissions } from '../connectors/connector.permissions.ts';
import { createAuthorizedConnector, findAuthorizedConnector } from '../connectors/connector.service.ts';
import type { Ctx, Principal, Services } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { lockRole } from '../members/owners.ts';
import { callerOfSession } from '../sessions/caller.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { consentingTo } from '../auth-library/consented-connector.ts';

/** The query of the page that asks for consent, as the authorization server signed it. */
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

/** Who asks for consent. Everything but where the answer goes is the client's own word. */
interface AskingClient {
  client_name: string;
  /** Host, and port if it is named, that the person is sent back to with the answer. */
  redirect_host: string;
  /** Whether that is a program on the person's own machine. */
  redirects_to_own_machine: boolean;
}

/**
 * What the page shows: who asks. Needs no session.
 *
 * @throws VALIDATION_ERROR for a request that was tampered with, has expired, or whose client is gone
 */
export async function describeConsentRequest(services: Services, body: unknown): Promise<AskingClient> {
  const { oauth_query } = parseInput(ConsentRequest, body);
  const { client_name, redirect_uri } = await readRequest(services, oauth_query);
  const { host, protocol } = new URL(redirect_uri);
  return { client_name, redirect_host: host, redirects_to_own_machine: protocol === 'http:' };
}

interface ConsentDecision {
  body: unknown;
  /** Of who decides. */
  cookie: string | undefined;
  requestId: string;
  /** Told the new cookies of a session that has been prolonged. */
  onRenewed: (setCookies: string[]) => void;
}

/**
 * A person allows an assistant to act for an account, or refuses. Allowing makes a connector of the account, which lists and
 * revokes it; allowing the same client the same once more takes the connector that there is.
 *
 * @returns where the page sends the person: back to the assistant, with a code or with the refusal
 * @throws UNAUTHORIZED without a session; FORBIDDEN for who may not make connectors in that account; VALIDATION_ERROR
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
  // The code is worth nothing before its connector exists, and is handed out after that.
  const answer = await consentingTo(connectorId, () => answerAssistant(services, cookie, decision));
  if (present === null) {
    await inTransaction(ctx, async (tx) => {
      // Whoever takes the right away meanwhile either sees the connector, and revokes it, or is seen here.
      assertMayConnect((await lockRole(tx.db, tx.accountId, principal.user_id)) ?? 'invitee');
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

/** What the authorization server signed when it sent the person to the page. Asking it for the client makes it check the signature. */
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

/** Has the authorization server write the decision down, and say where the person goes with it. */
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
