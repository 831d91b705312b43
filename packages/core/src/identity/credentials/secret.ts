import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** Characters of a secret that stay visible, to recognise a key by. */
const PREFIX_LENGTH = 12;

/** Kinds of secrets: keys of REST integrators, tokens of connectors, and the access and refresh tokens of those that came by OAuth. */
export type SecretKind = 'apk' | 'mcp' | 'mca' | 'mcr';

/** `<kind>_`, 30 random base62 characters, and a checksum of 6: a mistyped or invented key is refused without a look-up. */
export function newSecret(kind: SecretKind): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]!).join('');
  return `${kind}_${random}${checksum(`${kind}_${random}`)}`;
}

export function isWellFormedSecret(kind: SecretKind, secret: string): boolean {
  const body = secret.slice(0, -CHECKSUM_LENGTH);
  return new RegExp(`^${kind}_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`).test(secret) && secret === body + checksum(body);
}

/** What is stored of a secret. Secrets are 178 random bits: a plain hash cannot be searched backwards. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function visiblePrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
