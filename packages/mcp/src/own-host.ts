import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@affiliate/core';

/** Loopback names. DNS rebinding cannot use them, because no other host controls them. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Rejects requests with an unknown Host header or from a page of another origin. Otherwise a page could let its own host name
 * resolve to a service on its visitor's network and call it (DNS rebinding).
 *
 * @throws FORBIDDEN
 */
export function assertOwnHost(publicUrl: string, { host, origin }: IncomingHttpHeaders): void {
  const own = new URL(publicUrl);
  const allowed = [own.hostname, ...LOOPBACK];
  if (!allowed.includes(hostnameOf(`http://${host ?? ''}`))) {
    throw new DomainError('FORBIDDEN', 'Unknown Host header; expected the host of PUBLIC_URL.');
  }
  if (origin === undefined || origin === own.origin || LOOPBACK.includes(hostnameOf(origin))) return;
  throw new DomainError('FORBIDDEN', 'Requests from pages of other origins are not allowed.');
}

function hostnameOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
