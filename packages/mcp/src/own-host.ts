import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, untranslated } from '@affiliate/core';

/** Loopback names. DNS rebinding cannot use them, because no other host controls them. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Rejects requests with an unknown Host header. Otherwise a page could make its own host name resolve to a service on its visitor's
 * network, and then call that service (DNS rebinding).
 *
 * @throws FORBIDDEN
 */
export function assertOwnHost(publicUrl: string, { host }: IncomingHttpHeaders): void {
  const allowed = [new URL(publicUrl).hostname, ...LOOPBACK];
  if (allowed.includes(hostnameOf(`http://${host ?? ''}`))) return;
  throw new DomainError(
    'FORBIDDEN',
    untranslated('The Host header does not match PUBLIC_URL. Send the request to the address in PUBLIC_URL.'),
  );
}

/**
 * Rejects requests of pages whose origin is not allowed. Requests without an Origin header do not come from pages.
 *
 * The origin of the service and the listed origins are allowed. If PUBLIC_URL is a loopback address, so are the loopback origins, and
 * no others. Otherwise all origins are allowed unless some are listed, because a call needs a token and cookies are ignored
 * ([decision 48](../../../docs/decisions/0048-origins-that-may-call-mcp.md)).
 *
 * @param listed origins in MCP_ALLOWED_ORIGINS, or undefined if it is not set
 * @throws FORBIDDEN
 */
export function assertAllowedOrigin(
  publicUrl: string,
  { origin }: IncomingHttpHeaders,
  listed: readonly string[] | undefined,
): void {
  if (origin === undefined) return;
  const own = new URL(publicUrl);
  const isLocal = LOOPBACK.includes(own.hostname);
  if (!isLocal && listed === undefined) return;
  if (origin === own.origin || listed?.includes(origin)) return;
  if (isLocal && LOOPBACK.includes(hostnameOf(origin))) return;
  throw new DomainError(
    'FORBIDDEN',
    untranslated('Pages of this origin may not call the service. Add the origin to MCP_ALLOWED_ORIGINS.'),
  );
}

function hostnameOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
