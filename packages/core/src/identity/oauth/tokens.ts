import type { PermissionMap } from '../../platform/access/permissions.ts';
import type { Services } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { isViolationOf } from '../../platform/errors/constraints.ts';
import { assertStorable } from '../../platform/wire/text-safety.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { grantedBy } from '../connectors/grantable.ts';
import { declareResource } from '../credentials/assistant-resource.ts';
import { evictCredentials, findConnectorOfAccessToken } from '../credentials/authenticate.ts';
import { hashSecret } from '../credentials/secret.ts';
import { oauthError, type OauthReply } from './register-client.ts';

interface ClientRequest {
  form: URLSearchParams;
  /** The Authorization header. Undefined if the client authenticates in the form. */
  authorization: string | undefined;
}

/**
 * The fields that are passed on to the library. `scope` is dropped. Requesting fewer scopes would not limit the client, whose permissions are those
 * of the connector. But without the scope `offline_access`, the client would soon get no more refresh tokens.
 */
const TOKEN_FIELDS = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'client_id',
  'client_secret',
  'refresh_token',
  'resource',
];
const REVOCATION_FIELDS = ['token', 'token_type_hint', 'client_id', 'client_secret'];

/**
 * Handles `POST /auth/oauth2/token`: exchanges a code or a refresh token for new tokens. Each can be exchanged once. A second attempt fails and
 * revokes the tokens that were issued in the first.
 */
export async function exchangeToken(services: Services, request: ClientRequest): Promise<OauthReply> {
  await declareResource(services);
  const form = only(request.form, TOKEN_FIELDS);
  if (await isUnknownClient(services, form, request)) return unknownClient();
  const secret = form.get('code') ?? form.get('refresh_token');
  // Looked up before the exchange, because the exchange of a replayed secret deletes the tokens through which the connectors are found.
  const connectors = await connectorsBehind(services, secret);
  const question = { path: '/oauth2/token', form, headers: authorizationOf(request) } as const;
  const exchange = form.get('grant_type') === 'refresh_token' ? exchangeRefreshToken : exchangeCode;
  const { answer, permissions } = await exchange(services, question, secret);
  if (!answer) {
    // The code was used a second time at the same moment. The second use deleted the new refresh token before the access token that refers to
    // it was written.
    for (const id of connectors) evictCredentials(services, id);
    return oauthError(400, 'invalid_grant', 'This token was used more than once. Connect the assistant again.');
  }
  const { status, headers, body } = answer;
  if (status !== 200) {
    for (const id of connectors) evictCredentials(services, id);
    return { status, headers: challengeOf(headers), body };
  }
  if (!permissions) {
    await deleteTokens(services, [String(body['access_token']), String(body['refresh_token'])]);
    return oauthError(400, 'invalid_grant', 'The connector was revoked. Connect the assistant again.');
  }
  // The person may have granted other permissions than the client requested, and may have changed them since (RFC 6749, section 5.1).
  return { status, headers: {}, body: { ...body, scope: grantedBy(permissions).join(' ') } };
}

type Question = Parameters<typeof askLibrary>[1];

interface Exchange {
  /** Answer of the library. Null if a second use of the same code made the exchange fail. */
  answer: Awaited<ReturnType<typeof askLibrary>> | null;
  /** Permissions of the connector of the new tokens. Null if there is none, or if it was revoked meanwhile, so that the tokens must not remain. */
  permissions: PermissionMap | null;
}

async function exchangeCode(services: Services, question: Question): Promise<Exchange> {
  const answer = await askLibrary(services, question).catch((error: unknown) => {
    if (!isViolationOf(error, 'oauth_access_token_refresh_id_fkey')) throw error;
    return null;
  });
  if (answer?.status !== 200) return { answer, permissions: null };
  const connector = await findConnectorOfAccessToken(services, String(answer.body['access_token']));
  return { answer, permissions: connector?.permissions ?? null };
}

/**
 * Exchanges a refresh token in one transaction. Otherwise a process that dies would leave the old token used and the new one unknown to the client, which
 * would lose its access.
 *
 * The transaction locks the connector first. Therefore a revocation of the connector waits, and then deletes the new tokens too.
 *
 * A second use that waited for the first is refused by the library, which does not notice that the token was used twice. Asked again, the library
 * sees the used token, and revokes what the first use got.
 */
async function exchangeRefreshToken(services: Services, question: Question, token: string | null): Promise<Exchange> {
  const exchange = await services.database.transaction(async (db) => {
    const connector = token === null ? undefined : await lockConnectorBehind(db, token);
    return { answer: await askLibrary(services, { ...question, db }), permissions: connector?.permissions ?? null };
  });
  if (exchange.answer.body['error'] !== 'invalid_grant') return exchange;
  return { answer: await askLibrary(services, question), permissions: null };
}

/** Locks the live connector of a refresh token against revocation, until the transaction ends. */
function lockConnectorBehind(db: Db, token: string) {
  return db
    .selectFrom('connector')
    .select('permissions')
    .where('id', 'in', (one) =>
      one.selectFrom('oauth_refresh_token').select('reference_id').where('token', '=', hashSecret(token)),
    )
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/** Handles `POST /auth/oauth2/revoke` (RFC 7009). Revoking a refresh token also revokes its access tokens. The connector itself is not revoked. */
export async function revokeToken(services: Services, request: ClientRequest): Promise<OauthReply> {
  const form = only(request.form, REVOCATION_FIELDS);
  if (await isUnknownClient(services, form, request)) return unknownClient();
  const connectors = await connectorsBehind(services, form.get('token'));
  const { status, headers, body } = await askLibrary(services, {
    path: '/oauth2/revoke',
    form,
    headers: authorizationOf(request),
  });
  for (const id of connectors) evictCredentials(services, id);
  const isDone = status === 200 || (body['error'] === 'invalid_request' && (await isGone(services, form.get('token'))));
  return isDone ? { status: 200, headers: {}, body: null } : { status, headers: challengeOf(headers), body };
}

/** True if the token is unknown. Such a token counts as revoked (RFC 7009, section 2.2), but the library answers 400. */
async function isGone(services: Services, token: string | null): Promise<boolean> {
  return token !== null && token !== '' && (await connectorsBehind(services, token)).length === 0;
}

function only(form: URLSearchParams, fields: readonly string[]): URLSearchParams {
  const kept = new URLSearchParams([...form].filter(([name]) => fields.includes(name)));
  assertStorable([...kept]);
  return kept;
}

/**
 * True if the client that the request names is not registered. For such a client, the library would wrongly report that the code or token is invalid.
 */
async function isUnknownClient({ database }: Services, form: URLSearchParams, request: ClientRequest): Promise<boolean> {
  const clientId = form.get('client_id') ?? clientOf(request);
  if (clientId === null) return false;
  const found = await database.kysely
    .selectFrom('oauth_client')
    .select('id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return found === undefined;
}

/** Returns the error for an unregistered client (RFC 6749, section 5.2). It makes the assistant register again. */
function unknownClient(): OauthReply {
  const reply = oauthError(401, 'invalid_client', 'This client is not registered. Register again.');
  return { ...reply, headers: { 'WWW-Authenticate': 'Basic realm="oauth2"' } };
}

/** Returns the client id in a Basic header, if any. */
function clientOf({ authorization }: ClientRequest): string | null {
  const [, encoded] = /^Basic +(\S+)/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const [name = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/**
 * Returns the Authorization header for the library. Throws if the header's credentials contain text that cannot be stored, such as a NUL, even
 * if the NUL is percent-encoded (RFC 6749, section 2.3.1).
 */
function authorizationOf({ authorization }: ClientRequest): { authorization: string | undefined } {
  const [, encoded = ''] = /^Basic +(\S+)/i.exec(authorization ?? '') ?? [];
  assertStorable({ authorization: Buffer.from(encoded, 'base64').toString('utf8').replaceAll('%00', '\0') });
  return { authorization };
}

function challengeOf(headers: Headers): Record<string, string> {
  const challenge = headers.get('www-authenticate');
  return challenge === null ? {} : { 'WWW-Authenticate': challenge };
}

/** Returns the ids of the connectors of a token, or of the tokens that a code was exchanged for. */
async function connectorsBehind({ database }: Services, secret: string | null): Promise<string[]> {
  if (secret === null) return [];
  const hash = hashSecret(secret);
  const found = await Promise.all(
    (['oauth_access_token', 'oauth_refresh_token'] as const).map((table) =>
      database.kysely
        .selectFrom(table)
        .select('reference_id')
        .where((row) => row.or([row('token', '=', hash), row('authorization_code_id', '=', hash)]))
        .execute(),
    ),
  );
  return found.flat().flatMap(({ reference_id }) => reference_id ?? []);
}

async function deleteTokens({ database }: Services, secrets: string[]): Promise<void> {
  const hashes = secrets.map(hashSecret);
  await database.kysely.deleteFrom('oauth_access_token').where(oneOf('token', hashes)).execute();
  await database.kysely.deleteFrom('oauth_refresh_token').where(oneOf('token', hashes)).execute();
}
