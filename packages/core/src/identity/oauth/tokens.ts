import { hashSecret } from '../credentials/secret.ts';
import { authenticateConnector, evictCredentials } from '../credentials/authenticate.ts';
import { isViolationOf } from '../../platform/errors/constraints.ts';
import { assertStorable } from '../../platform/wire/text-safety.ts';
import type { Services } from '../../platform/call/context.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { declareResource } from '../credentials/assistant-resource.ts';
import { type OauthReply, oauthError } from './reply.ts';

interface ClientRequest {
  form: URLSearchParams;
  /** Client authentication, where it is not in the form. */
  authorization: string | undefined;
}

/** Nothing else reaches the library. Of `scope` a client could only ask for less than it needs to stay connected. */
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
 * `POST /auth/oauth2/token`: tokens for a code, once, or for a refresh token, once. A second use of either ends what the first brought.
 */
export async function exchangeToken(services: Services, request: ClientRequest): Promise<OauthReply> {
  await declareResource(services);
  const form = only(request.form, TOKEN_FIELDS);
  const secret = form.get('code') ?? form.get('refresh_token');
  // Found before, as a replayed secret takes what it led to away.
  const connectors = await connectorsBehind(services, secret);
  const question = { path: '/oauth2/token', form, headers: authorizationOf(request) } as const;
  const answer = await askLibrary(services, question).catch((error: unknown) => {
    if (!isViolationOf(error, 'oauth_access_token_refresh_id_fkey')) throw error;
    return null;
  });
  if (!answer) {
    // A second use took the new refresh token away before its access token was written.
    for (const id of connectors) evictCredentials(services, id);
    return oauthError(400, 'invalid_grant', 'This token was used more than once.');
  }
  const { status, headers, body } = answer;
  if (status !== 200) {
    for (const id of connectors) evictCredentials(services, id);
    return { status, headers: challengeOf(headers), body };
  }
  // A connector that was revoked while its tokens were made has none.
  if (!(await authenticateConnector(services, String(body['access_token'])))) {
    await deleteTokens(services, [String(body['access_token']), String(body['refresh_token'])]);
    return oauthError(400, 'invalid_grant', 'The connector was revoked. Connect the assistant again.');
  }
  return { status, headers: {}, body };
}

/** `POST /auth/oauth2/revoke` (RFC 7009). Takes a refresh token's access tokens along. The connector stays, without any. */
export async function revokeToken(services: Services, request: ClientRequest): Promise<OauthReply> {
  const form = only(request.form, REVOCATION_FIELDS);
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

/** A token that there is not is as good as revoked (RFC 7009, section 2.2). The library calls it a bad request. */
async function isGone(services: Services, token: string | null): Promise<boolean> {
  return token !== null && token !== '' && (await connectorsBehind(services, token)).length === 0;
}

function only(form: URLSearchParams, fields: readonly string[]): URLSearchParams {
  const kept = new URLSearchParams([...form].filter(([name]) => fields.includes(name)));
  assertStorable([...kept]);
  return kept;
}

/** Name and secret of a Basic header are looked up, too. They may be percent-encoded (RFC 6749, section 2.3.1). */
function authorizationOf({ authorization }: ClientRequest): { authorization: string | undefined } {
  const [, encoded = ''] = /^Basic +(\S+)/i.exec(authorization ?? '') ?? [];
  assertStorable({ authorization: Buffer.from(encoded, 'base64').toString('utf8').replaceAll('%00', '\0') });
  return { authorization };
}

function challengeOf(headers: Headers): Record<string, string> {
  const challenge = headers.get('www-authenticate');
  return challenge === null ? {} : { 'WWW-Authenticate': challenge };
}

/** The connectors that a token, or tokens that were had for a code, stand for. */
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
  await database.kysely.deleteFrom('oauth_access_token').where('token', 'in', hashes).execute();
  await database.kysely.deleteFrom('oauth_refresh_token').where('token', 'in', hashes).execute();
}
