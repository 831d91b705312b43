import type { IncomingMessage } from 'node:http';
import { DomainError, type Services } from '@affiliate/core';
import { DOOR_REASONS } from './reasons.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses a write that a page of another site may have triggered, because the browser may have added our cookies to it. With every write,
 * browsers send the page's origin (Origin) or at least its relation to ours (Sec-Fetch-Site). A client that sends neither is not a browser,
 * so it has no cookies that a page could abuse.
 *
 * @throws FORBIDDEN
 */
export function assertSameOrigin({ publicUrl }: Services, { method = '', headers }: IncomingMessage): void {
  if (SAFE_METHODS.includes(method)) return;
  const { origin: publicOrigin, protocol } = new URL(publicUrl);
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // The host to which the request was sent also counts as ours, e.g. localhost if PUBLIC_URL has 127.0.0.1.
  const ours = origin === undefined ? site === undefined || site === 'same-origin' || site === 'none' : undefined;
  if (ours ?? (origin === publicOrigin || origin === `${protocol}//${host}`)) return;
  throw new DomainError('FORBIDDEN', DOOR_REASONS.other_site);
}
