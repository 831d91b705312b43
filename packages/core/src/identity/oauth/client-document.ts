/**
 * Client ID Metadata Documents: a client that has not registered may use the https address of a document about itself as its `client_id`. The
 * document is read when the client sends a person here, and stored like a registration.
 */
import type { Services } from '../../platform/call/context.ts';
import { isViolationOf } from '../../platform/errors/constraints.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { countAttempt } from '../auth-library/attempts.ts';
import { clientNetwork } from '../sessions/client-network.ts';
import { ClientMetadata, shownName, storeClient } from './register-client.ts';

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

/** Maximum number of documents that are read for one network and hour. */
const LIMIT = { max: 30, windowSeconds: 3600 };
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
