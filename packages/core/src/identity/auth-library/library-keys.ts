import { createHash } from 'node:crypto';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

interface LibraryKey {
  /** Number by which stored values name their key: a part of the key's hash, so that it stays the same when the key becomes the previous one. */
  version: number;
  value: string;
}

/** The keys under which the library encrypts what it stores: the present one, which writes, and the previous one, if there is any. */
export function libraryKeys(secrets: SecretBox): LibraryKey[] {
  const values = new Set([secrets.derive('sessions'), secrets.derivePrevious('sessions')]);
  return [...values].flatMap((value) => (value === null ? [] : { version: versionOf(value), value }));
}

function versionOf(key: string): number {
  return Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 7), 16);
}
