import { createHmac } from 'node:crypto';
import { randomBase62 } from '../../identity/credentials/secret.ts';

const PREFIX = 'whsec_';
/** 33 bytes in base64 are 44 characters, without padding. */
const SECRET_LENGTH = 44;

/**
 * Creates a signing secret: `whsec_` and 44 random letters and digits. These are base64 of 33 bytes, so that libraries of Standard Webhooks take the
 * secret as it is.
 */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBase62(SECRET_LENGTH)}`;
}

/** The signed content. */
export interface SignedContent {
  deliveryId: string;
  /** Unix time in seconds. */
  timestamp: number;
  /** The bytes that are sent. */
  body: string;
}

/**
 * Returns the headers that prove the origin of a delivery, by both conventions (docs/rules/webhooks.md#signatures). The signatures differ only in the
 * key: `hook-signature` uses the text of the secret, and `webhook-signature`, the header of Standard Webhooks, uses the bytes that the text encodes.
 * Several secrets have a signature each, separated by spaces.
 */
export function signatureHeaders(secrets: readonly string[], content: SignedContent): Record<string, string> {
  const { deliveryId, timestamp, body } = content;
  const signed = `${deliveryId}.${timestamp}.${body}`;
  const signatures = (keyOf: (secret: string) => string | Buffer) =>
    secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`).join(' ');
  return {
    'hook-id': deliveryId,
    'hook-timestamp': String(timestamp),
    'hook-signature': signatures((secret) => secret),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures((secret) => Buffer.from(secret.slice(PREFIX.length), 'base64')),
  };
}
