import type { IncomingMessage } from 'node:http';
import { DomainError, type Services } from '@affiliate/core';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what a page of another site may have made a browser send along with its cookies. Every browser names the page's
 * origin with a write (or, at the least, its relation to us in Sec-Fetch-Site); a client that sends neither is no browser and
 * has no cookies that others could abuse.
 *
 * @throws FORBIDDEN
 */
export function assertSameOrigin({ publicUrl }: Services, { method = '', headers }: IncomingMessage): void {
  if (SAFE_METHODS.includes(method)) return;
  const { origin: publicOrigin, protocol } = new URL(publicUrl);
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // Besides the public address, the very address that was asked, e.g. localhost for 127.0.0.1.
  const ours = origin === undefined ? site === undefined || site === 'same-origin' || site === 'none' : undefined;
  if (ours ?? (origin === publicOrigin || origin === `${protocol}//${host}`)) return;
  throw new DomainError('FORBIDDEN', 'This request comes from a page of another site.');
}
