import { randomBytes } from 'node:crypto';

/** Returns an id in the provider's form: a prefix and 24 letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_1${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x').slice(0, 23)}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
