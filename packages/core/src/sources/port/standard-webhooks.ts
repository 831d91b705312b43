/** Signatures of Standard Webhooks: `v1` (HMAC-SHA256) and `v1a` (Ed25519), over the bytes of `<id>.<timestamp>.<body>`. */
import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Delivery, Trust } from './port.ts';
import { InvalidPspEventError } from './psp-error.ts';

/** Maximum difference in seconds between the time of a delivery and now, as in the libraries of the standard. */
const TOLERANCE_SECONDS = 300;
/** Number of signatures that are compared. A sender has two while a secret is replaced. */
const MAX_SIGNATURES = 16;
const UNSIGNED = 'The signature does not match any valid signing secret';

/** The keys of senders: secret ones for `v1`, public ones for `v1a`. A public key never verifies a `v1`, which anyone could then make. */
export interface StandardKeys {
  v1?: readonly Uint8Array[];
  v1a?: readonly KeyObject[];
}

/** Verifies that a delivery has the signature of one of the keys, and is recent. Rejects with `InvalidPspEventError`. */
export function verifyStandardWebhook(
  { rawBody, header }: Delivery,
  { v1 = [], v1a = [] }: StandardKeys,
  now: Date,
): Promise<Trust> {
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) => header(`webhook-${name}`));
  // With a dot in the id, another id and time could have the same signed bytes.
  if (id === '' || id.includes('.')) return refused('The header webhook-id is missing or contains a dot');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return refused('The header webhook-timestamp is missing, too old, or ahead of the clock of the service');
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]);
  const isSigned = signatures.split(' ', MAX_SIGNATURES).some((each) => {
    const [version, text = ''] = each.split(',', 2);
    const signature = Buffer.from(text, 'base64');
    if (version === 'v1') return v1.some((key) => isEqual(createHmac('sha256', key).update(content).digest(), signature));
    return version === 'v1a' && signature.length === 64 && v1a.some((key) => verify(null, content, key, signature));
  });
  return isSigned ? Promise.resolve('full') : refused(UNSIGNED);
}

function refused(why: string): Promise<never> {
  return Promise.reject(new InvalidPspEventError(why));
}

/** Compares in constant time. */
export function isEqual(expected: Uint8Array, given: Uint8Array): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Returns the secret key of a text `whsec_…`, or null for other texts. The standard asks for 24 to 64 bytes. */
export function secretKeyOf(text: string): Uint8Array | null {
  return bytesOf(text, 'whsec_', 24, 64);
}

/** DER form of an Ed25519 public key, without its 32 bytes. */
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns the public key of a text `whpk_…`, or null for other texts. */
export function publicKeyOf(text: string): KeyObject | null {
  const bytes = bytesOf(text, 'whpk_', 32, 32);
  return bytes && createPublicKey({ key: Buffer.concat([ED25519_DER, bytes]), format: 'der', type: 'spki' });
}

function bytesOf(text: string, prefix: string, least: number, most: number): Uint8Array | null {
  const base64 = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= least && bytes.length <= most ? bytes : null;
}

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
  return isSigned ? Promise.resolve('hint') : refused(UNSIGNED);
}
