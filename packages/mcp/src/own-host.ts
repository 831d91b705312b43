import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@affiliate/core';

/** Loopback names. DNS rebinding cannot use them, because no other host controls them. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Rejects requests with an unknown Host header. Otherwise a page could make its own host name resolve to a service on its visitor's
 * network, and then call that service (DNS rebinding). Pages of other origins are allowed, because a call needs a token and cookies are
 * ignored.
 *
 * @throws FORBIDDEN
 */
export function assertOwnHost(publicUrl: string, { host }: IncomingHttpHeaders): void {
  const allowed = [new URL(publicUrl).hostname, ...LOOPBACK];
  if (allowed.includes(hostnameOf(`http://${host ?? ''}`))) return;
  throw new DomainError('FORBIDDEN', 'The Host header does not match PUBLIC_URL. Send the request to the address in PUBLIC_URL.');
}

function hostnameOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
