import { z } from 'zod';
import { type PermissionMap, roleAtLeast } from '../../platform/access/permissions.ts';
import type { Principal, Services, Visitor, WriteCtx } from '../../platform/call/context.ts';
import { contextOf, inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { PLATFORM_REASONS } from '../../platform/texts/reasons.ts';
import { newId } from '../../platform/wire/ids.ts';
import { id } from '../../platform/wire/scalars.ts';
import { assertStorable, parseInput } from '../../platform/wire/text-safety.ts';
import { assertMayGrant } from '../api-keys/api-key.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { consentedConnector } from '../auth-library/request-context.ts';
import {
  connectorPermissions,
  createAuthorizedConnector,
  findAuthorizedConnector,
  listConnectorsOf,
} from '../connectors/connector.service.ts';
import { ConnectorPermissions, DailyPayLimits, type PayLimit } from '../connectors/connector.ts';
import {
  BASE_SCOPE,
  CONSENT_PERMISSIONS,
  grantedBy,
  PAYING_PERMISSIONS,
  permissionsOfScopes,
  REFRESH_SCOPE,
  SCOPES,
} from '../connectors/grantable.ts';
import { declareResource, resourceOf } from '../credentials/assistant-resource.ts';
import { lockRole } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { callerOfSession } from '../sessions/caller.ts';
import { isDocumentUrl, refreshDocumentClient } from './register-client.ts';

/** Query string of the consent page, signed by the authorization server. */
const oauth_query = z.string().min(1).max(16_000);

const ConsentRequest = z.strictObject({ oauth_query });

const Decision = z.discriminatedUnion('accept', [
  z.strictObject({ oauth_query, accept: z.literal(false) }),
  z.strictObject({
    oauth_query,
    accept: z.literal(true),
    account_id: id('account'),
    permissions: ConnectorPermissions.optional(),
    allow_promo_code_management: z.boolean().default(false),
    daily_pay_limits: DailyPayLimits.nullable().optional(),
  }),
]);

type Session = Extract<Principal, { kind: 'session' }>;
type Acceptance = Extract<z.infer<typeof Decision>, { accept: true }>;

/** The client that asks for consent. `client_name` is the client's own, unverified claim. */
interface AskingClient {
  client_name: string;
  /** Host that publishes the client's metadata document, which the service has read; null for a client that registered itself. */
  verified_host: string | null;
  /** Host, with the port if any, to which the person is redirected after the decision. */
  redirect_host: string;
  /** True when the redirect goes to a program on the person's own machine. */
  redirects_to_own_machine: boolean;
  /** The permissions that the client asks for. The person decides which of them to grant, and may grant others. */
  requested_permissions: readonly string[];
  /** The access that the signed-in person has granted to this client before, by account. Empty if nobody is signed in. */
  granted: { account_id: string; permissions: string[]; daily_pay_limits: PayLimit[] | null }[];
}

/**
 * Returns the data of the consent page. Needs no session.
 *
 * @throws VALIDATION_ERROR when the request was tampered with or has expired, or when its client was deleted
 */
export async function describeConsentRequest(
  services: Services,
  { body, cookie, onRenewed }: Pick<ConsentDecision, 'body' | 'cookie' | 'onRenewed'>,
): Promise<AskingClient> {
  const { oauth_query } = parseInput(ConsentRequest, body);
  const { client_id, client_name, redirect_uri, scopes } = await readRequest(services, oauth_query);
  const { host, protocol } = new URL(redirect_uri);
  const userId = userOf(await callerOfSession(services, cookie, null, onRenewed));
  const connectors = userId === null ? [] : await listConnectorsOf(services, userId, client_id);
  return {
    client_name,
    verified_host: isDocumentUrl(client_id) ? new URL(client_id).host : null,
    redirect_host: /^https?:$/.test(protocol) ? host : `${protocol}//${host}`,
    redirects_to_own_machine: protocol !== 'https:',
    requested_permissions: permissionsOfScopes(scopes),
    granted: connectors.map(({ permissions, ...connector }) => ({ ...connector, permissions: grantedBy(permissions) })),
  };
}

function userOf(caller: Session | Visitor): string | null {
  return caller.kind === 'session' ? caller.user_id : (caller.session?.user_id ?? null);
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
 * @throws UNAUTHORIZED without a session; FORBIDDEN for a person who may not grant these permissions in that account; VALIDATION_ERROR
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
  const wanted = { oauth_client_id: client_id, user_id: principal.user_id, ...chosenAccess(decision) };
  assertMayConnect(principal, wanted.permissions);

  const ctx = contextOf(services, principal, requestId);
  const present = await findAuthorizedConnector(ctx, wanted);
  const connectorId = present ?? newId('connector', services.clock.now());
  // The code is issued before its connector is created. It is useless until then, and is returned only after the connector is committed.
  const answer = await consentedConnector.run(connectorId, () => answerAssistant(services, cookie, decision));
  if (present === null) {
    await inTransaction(ctx, async (tx) => {
      // The role is locked, so that a concurrent change of the role either comes later and revokes the connector, or came first and is seen
      // here.
      const { role } = await lockRole(tx, principal.user_id);
      assertMayConnect({ ...principal, role: role ?? 'invitee' }, wanted.permissions);
      await lockSession(tx, principal.id);
      await createAuthorizedConnector(tx, connectorId, { ...wanted, name: client_name });
    });
  }
  return answer;
}

/**
 * Returns the access that a person chose on the consent page.
 *
 * @throws VALIDATION_ERROR for no permissions, for permissions that are not granted by consent, and when the assistant may pay but no limit was
 * chosen
 */
function chosenAccess({ permissions: chosen, allow_promo_code_management, daily_pay_limits }: Acceptance) {
  const permissions = connectorPermissions(chosen, allow_promo_code_management);
  const granted = grantedBy(permissions);
  const foreign = granted.filter((name) => !CONSENT_PERMISSIONS.includes(name));
  if (foreign.length > 0)
    throw invalid('permissions', IDENTITY_REASONS.not_grantable_by_consent({ permissions: foreign.join(', ') }), 'not_allowed');
  if (granted.length === 0) throw invalid('permissions', IDENTITY_REASONS.no_permission_granted, 'too_small');
  const mayPay = granted.some((name) => PAYING_PERMISSIONS.includes(name));
  // No default, so that nobody allows payments of any amount without having decided so.
  if (mayPay && daily_pay_limits === undefined) throw invalid('daily_pay_limits', IDENTITY_REASONS.no_pay_limit, 'required');
  return { permissions, daily_pay_limits: mayPay ? (daily_pay_limits ?? null) : null };
}

/** Throws FORBIDDEN for a person who is not a member, and for permissions that the person's role does not allow. */
function assertMayConnect(person: Session, permissions: PermissionMap): void {
  if (!roleAtLeast(person.role, 'viewer')) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.members_connect_assistants);
  assertMayGrant(person, permissions);
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

/** Reads the signed request. The authorization server checks the signature before it answers with the client's name. */
async function readRequest(services: Services, oauth_query: string) {
  const query = new URLSearchParams(oauth_query);
  const client_id = query.get('client_id') ?? '';
  const scopes = (query.get('scope') ?? '').split(' ');
  const redirect_uri = query.get('redirect_uri') ?? '';
  const { status, body } = await askLibrary(services, {
    path: '/oauth2/public-client-prelogin',
    json: { client_id, oauth_query },
  });
  if (status !== 200) throw outdated();
  return { client_id, redirect_uri, scopes, client_name: String(body['client_name']) };
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
  return new DomainError('UNAUTHORIZED', PLATFORM_REASONS.sign_in_first);
}

function outdated(): DomainError {
  return invalid('oauth_query', IDENTITY_REASONS.connection_request_invalid, 'invalid_request');
}

/** The parameters that are passed on to the library. All others are dropped. */
const PARAMETERS = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'resource'];

/**
 * Handles `GET /auth/oauth2/authorize`, to which an assistant sends a person. Validates the request and returns a redirect to the consent page.
 * Asks for consent every time, because a client cannot prove that it is the client to which the person consented before.
 *
 * @throws RATE_LIMITED
 * @returns the redirect: to the consent page, with the request signed; or, for a request with errors, back to the assistant if that is safe
 */
export async function authorize(services: Services, requested: URLSearchParams, clientAddress: string): Promise<string> {
  await declareResource(services);
  const clientId = requested.get('client_id') ?? '';
  if (isDocumentUrl(clientId)) await refreshDocumentClient(services, clientId, clientAddress);
  const query = new URLSearchParams([...requested].filter(([name]) => PARAMETERS.includes(name)));
  assertStorable([...query]);
  if (!query.has('resource')) query.set('resource', resourceOf(services));
  query.set('scope', knownScopes(requested.get('scope')).join(' '));
  query.set('prompt', 'consent');
  // The browser's cookie is not passed to the library, because the result is the same for everyone. The consent page determines who is signed in.
  const { headers, status } = await askLibrary(services, { path: '/oauth2/authorize', query });
  const location = headers.get('location');
  if (location === null) throw new Error(`The authorization server answered ${status} without a Location header.`);
  return location;
}

/** Returns the known scopes of a request, or the base scope if there are none, and always the scope for refresh tokens. */
function knownScopes(requested: string | null): string[] {
  const scopes = (requested ?? '').split(' ').filter((name) => SCOPES.includes(name) && name !== REFRESH_SCOPE);
  return [...(scopes.length === 0 ? [BASE_SCOPE] : scopes), REFRESH_SCOPE];
}
