/**
 * OAuth clients register, or are described by a document (Client ID Metadata Documents): a client that has not registered may use the https address of a
 * document about itself as its `client_id`. The document is read when the client sends a person here, and stored like a registration.
 */
import { z } from 'zod';
import type { Services } from '../../platform/call/context.ts';
import { isViolationOf } from '../../platform/errors/constraints.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { assertStorable } from '../../platform/wire/text-safety.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { countAttempt } from '../auth-library/attempts.ts';
import { clientNetwork } from '../sessions/client-network.ts';
import { CLIENT_AUTHENTICATION } from './metadata.ts';

/** A response in the format of OAuth (RFC 6749, section 5), which differs from the service's own format. */
export interface OauthReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
}

export function oauthError(status: number, error: string, error_description: string): OauthReply {
  return { status, headers: {}, body: { error, error_description } };
}

/** Maximum number of registrations, and of documents that are read, per network and hour. Clients without a consent are deleted after a day. */
const LIMIT = { max: 30, windowSeconds: 3600 };

/** Schemes that a browser or another program would handle itself, so that they lead to no assistant. */
const NOT_PROGRAMS =
  /^(https?|javascript|data|vbscript|file|blob|about|filesystem|view-source|wss?|ftps?|mailto|tel|sms|intent|content|jar|resource|chrome|edge|ms-[\w-]+|search-ms):/;
/** A program on the person's machine or phone, with a URL scheme of its own (RFC 8252 7.1), e.g. `cursor://anysphere.cursor-mcp/oauth/callback`. */
const isOfProgram = (uri: string): boolean => {
  const { protocol, username, password, hash } = new URL(uri);
  return !NOT_PROGRAMS.test(protocol) && username === '' && password === '' && hash === '';
};
const isOfWeb = (uri: string): boolean => /^https?:/i.test(uri);

/**
 * Allowed redirect addresses: https, http on the person's own machine (RFC 8252), and URL schemes of programs. The library checks that an http address is
 * local.
 */
const RedirectUri = z
  .url()
  .max(2_000)
  .refine((uri) => isOfWeb(uri) || isOfProgram(uri), {
    error:
      'Must be an https address, an http address of the person’s own machine, or an address with the URL scheme of a program.',
  });
/** Registered with the library in place of an address of a program, and replaced by that address afterwards. */
const PLACEHOLDER = 'http://127.0.0.1/callback';

/** Client metadata (RFC 7591). Other fields are ignored, because they would be neither shown nor used. */
const ClientMetadata = z
  .object({
    redirect_uris: z.array(RedirectUri).min(1).max(10),
    client_name: z.string().max(200).optional(),
    token_endpoint_auth_method: z.enum(CLIENT_AUTHENTICATION).default('client_secret_basic'),
    grant_types: z
      .array(z.string())
      .refine((types) => types.includes('authorization_code'))
      .optional(),
  })
  // Another program may claim the same scheme. PKCE keeps the code from it, and a secret in a program is none.
  .refine((client) => client.token_endpoint_auth_method === 'none' || client.redirect_uris.every(isOfWeb), {
    path: ['redirect_uris'],
    error: 'A URL scheme of a program needs `token_endpoint_auth_method` `none`.',
  });

/**
 * Registers an OAuth client. Anyone may register one, because a client can do nothing until a person consents to it.
 *
 * @throws RATE_LIMITED
 */
export async function registerClient(services: Services, body: unknown, clientAddress: string): Promise<OauthReply> {
  await countAttempt(services, `/oauth2/register from ${clientNetwork(clientAddress)}`, LIMIT);
  // The name is only shown, and loses control characters before it is.
  const { client_name: _, ...rest } = Object(body) as Record<string, unknown>;
  assertStorable(rest);
  const parsed = ClientMetadata.safeParse(body);
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
    const field = path.join('.') || 'body';
    const code = path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    return oauthError(400, code, `${field}: ${message}`);
  }
  return storeClient(services, parsed.data);
}

/**
 * Stores a client.
 *
 * @param clientId id of the client; without it, the client gets a random id. A client that has this id already remains as it is.
 */
async function storeClient(
  services: Services,
  { redirect_uris, client_name, token_endpoint_auth_method }: z.output<typeof ClientMetadata>,
  clientId?: string,
): Promise<OauthReply> {
  const { status, body: client } = await askLibrary(services, {
    path: '/oauth2/register',
    json: {
      redirect_uris: redirect_uris.map((uri) => (isOfWeb(uri) ? uri : PLACEHOLDER)),
      client_name: shownName(client_name) || new URL(redirect_uris[0]!).host,
      token_endpoint_auth_method,
      // The type is always `native`, because the library lets native clients redirect both to https and to the person's own machine. A client that
      // declares no type would be of the type `web`, for which the library refuses redirects to the person's machine.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  });
  if (status >= 400) return { status, headers: {}, body: client };
  // Without scopes of its own, a client may ask for every scope, including those of later versions. The library would store those of today.
  await services.database.kysely
    .updateTable('oauth_client')
    .set({
      redirect_uris: JSON.stringify(redirect_uris),
      scopes: null,
      ...(clientId !== undefined && { client_id: clientId }),
    })
    .where('client_id', '=', String(client['client_id']))
    .execute();
  const { scope: _, ...registered } = client;
  return { status, headers: {}, body: { ...registered, redirect_uris } };
}

/** Removes characters that change how the surrounding text is displayed. */
function shownName(name = ''): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}

/**
 * Reads a JSON document from a public https address, without following redirects, within limits of time and size. Returns its text, or null if
 * there is no such document. This is a port, because the domain does no I/O of its own.
 */
export type ReadDocument = (url: string) => Promise<string | null>;

declare module '../../platform/call/context.ts' {
  interface Services {
    readDocument: ReadDocument;
  }
}

/** Age at which a document is read again. */
const FRESH_MS = 10 * 60_000;
const MAX_URL_LENGTH = 500;

/**
 * True for an address that can be a `client_id`: https with a path, and nothing that hides where it leads (credentials, a fragment, dot segments).
 */
export function isDocumentUrl(clientId: string): boolean {
  const url = clientId.startsWith('https://') && clientId.length <= MAX_URL_LENGTH ? URL.parse(clientId) : null;
  return (
    url !== null && url.href === clientId && url.pathname !== '/' && url.hash === '' && url.username === '' && url.password === ''
  );
}

/**
 * Reads the document of a client and stores the client, unless it was stored a short time ago. Leaves the stored client unchanged if the document
 * cannot be read or is invalid.
 *
 * @throws RATE_LIMITED
 */
export async function refreshDocumentClient(services: Services, clientId: string, clientAddress: string): Promise<void> {
  const db = services.database.kysely;
  const now = toInstant(services.clock.now());
  const present = await db.selectFrom('oauth_client').select('updated_at').where('client_id', '=', clientId).executeTakeFirst();
  if (present?.updated_at && plusMilliseconds(present.updated_at, FRESH_MS) > now) return;
  await countAttempt(services, `client documents for ${clientNetwork(clientAddress)}`, LIMIT);
  const read = readClient(clientId, await services.readDocument(clientId));
  if (typeof read === 'string') {
    services.log.info({ client_id: clientId }, `the document of an OAuth client was refused: ${read}`);
    return;
  }
  if (!present) {
    await storeClient(services, { ...read, token_endpoint_auth_method: 'none' }, clientId).catch((error: unknown) => {
      // A concurrent request has stored the same client.
      if (!isViolationOf(error, 'oauth_client_client_id_key')) throw error;
    });
  }
  await db
    .updateTable('oauth_client')
    .set({ name: read.client_name, redirect_uris: JSON.stringify(read.redirect_uris), updated_at: now })
    .where('client_id', '=', clientId)
    .execute();
}

/** Returns the name and redirect addresses in a client's document, or why it is refused. */
function readClient(clientId: string, text: string | null): { client_name: string; redirect_uris: string[] } | string {
  if (text === null) return 'it could not be read';
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const parsed = ClientMetadata.safeParse({ token_endpoint_auth_method: 'none', ...(document as object) });
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  const given = document as Record<string, unknown>;
  if (given['client_id'] !== clientId) return 'its client_id is not its own address';
  if (parsed.data.token_endpoint_auth_method !== 'none' || 'client_secret' in given) return 'a public client has no secret';
  const { client_name, redirect_uris } = parsed.data;
  return { client_name: shownName(client_name) || new URL(clientId).host, redirect_uris };
}
