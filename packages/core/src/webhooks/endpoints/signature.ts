import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Creates a signing secret, as it is displayed and used: `whsec_` and 32 random bytes in base64url. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/**
 * Computes the header `hook-signature` (docs/rules/webhooks.md#signatures): for each secret, `v1,` and the Base64 HMAC-SHA-256 of `<delivery
 * id>.<timestamp>.<body>`, separated by spaces. The key is the secret's text in UTF-8, exactly as displayed.
 *
 * @param timestamp Unix time in seconds
 * @param body the bytes that are sent
 */
export function signatureHeader(secrets: readonly string[], deliveryId: string, timestamp: number, body: string): string {
  const content = `${deliveryId}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`).join(' ');
}
