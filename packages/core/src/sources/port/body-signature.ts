import { createHmac } from 'node:crypto';
import type { Delivery, Trust } from './port.ts';
import { InvalidPspEventError } from './psp-error.ts';
import { isEqual } from './standard-webhooks.ts';

/**
 * Verifies an HMAC-SHA256 of the body alone, which has no time, so that an old delivery cannot be told from a new one: what it is about has to be read.
 * Rejects with `InvalidPspEventError`.
 */
export function verifyBodySignature(
  { rawBody, header }: Delivery,
  { name, encoding }: { name: string; encoding: 'hex' | 'base64' },
  secrets: readonly string[],
): Promise<Trust> {
  const given = Buffer.from(header(name) ?? '', encoding);
  const isSigned = secrets.some((secret) => isEqual(createHmac('sha256', secret).update(rawBody).digest(), given));
  if (isSigned) return Promise.resolve('hint');
  return Promise.reject(new InvalidPspEventError('The signature does not match any valid signing secret'));
}
