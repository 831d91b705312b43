import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^[a-z]{3}_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** Number of a secret's characters that stay visible, to identify a key. */
const PREFIX_LENGTH = 12;

/**
 * Kinds of secrets: API keys (`apk`), tokens of connectors (`mcp`), OAuth access and refresh tokens (`mca`, `mcr`), sign-in links (`sil`), and
 * portal tokens (`pat`).
 */
export type SecretKind = 'apk' | 'mcp' | 'mca' | 'mcr' | 'sil' | 'pat';

/**
 * Creates a secret: `<kind>_`, 30 random base62 characters and a checksum of 6. Thanks to the checksum, a mistyped or invented secret can be
 * refused without a look-up.
 */
export function newSecret(kind: SecretKind): string {
  const random = randomBase62(RANDOM_LENGTH);
  return `${kind}_${random}${checksum(`${kind}_${random}`)}`;
}

/** Returns random letters and digits, with 5.95 random bits each. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(62)]!).join('');
}

export function isWellFormedSecret(kind: SecretKind, secret: string): boolean {
  const body = secret.slice(0, -CHECKSUM_LENGTH);
  return secret.startsWith(`${kind}_`) && FORM.test(secret) && secret.endsWith(checksum(body));
}

/** Returns the hash under which a secret is stored. A plain hash is enough, because a secret has 178 random bits and cannot be found by trial. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
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
