import { createHash } from 'node:crypto';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

interface LibraryKey {
  /**
   * Number stored with each value to identify its key. It is a part of the key's hash, so it does not change when the key becomes the previous
   * one.
   */
  version: number;
  value: string;
}

/**
 * Returns the keys with which the library encrypts stored values. The first is the current key, which also encrypts new values. The second is
 * the previous key, if any.
 */
export function libraryKeys(secrets: SecretBox): LibraryKey[] {
  const values = new Set([secrets.derive('sessions'), secrets.derivePrevious('sessions')]);
  return [...values].flatMap((value) => (value === null ? [] : { version: versionOf(value), value }));
}

function versionOf(key: string): number {
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 7), 16);
}
