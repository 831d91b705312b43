import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@affiliate/core';

/** Names that only this machine can mean: whoever says them has not been lured here by a name of theirs. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request for a host that is not ours, and one from a page of another origin: without this, a page could make its own
 * name resolve to a service on its visitor's network and call it from there (DNS rebinding).
 *
 * @throws FORBIDDEN
 */
export function assertOwnHost(publicUrl: string, { host, origin }: IncomingHttpHeaders): void {
  const own = new URL(publicUrl);
  const allowed = [own.hostname, ...LOOPBACK];
  if (!allowed.includes(hostnameOf(`http://${host ?? ''}`))) {
    throw new ApiError('FORBIDDEN', 'The service is not reached under this host name: see PUBLIC_URL.');
  }
  if (origin === undefined || origin === own.origin || LOOPBACK.includes(hostnameOf(origin))) return;
  throw new ApiError('FORBIDDEN', 'Pages of other origins may not call this.');
}

function hostnameOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}
