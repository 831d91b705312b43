import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Clock } from '../time/clock.ts';
import { type Instant, toInstant } from '../time/instant.ts';

/** Encrypts secrets at rest with AES-256-GCM under a key derived from the installation's SECRET_KEY. */
export interface SecretBox {
  /** Returns `v1.<base64url of nonce, tag and ciphertext>`. */
  seal(plaintext: string): string;
  /** Decrypts a text that was sealed with the current or the previous key. Throws for any other text. */
  open(sealed: string): string;
  /** True if the text was sealed with the current key. */
  isCurrent(sealed: string): boolean;
  /**
   * Returns a keyed hash of a text, by which equal texts are found without being opened. Upper and lower case are the same. A column `…_hash` beside a
   * column `sealed_…` has the fingerprint of the sealed text.
   */
  fingerprint(text: string): string;
  /** Like `fingerprint`, also with the previous key. Until all texts are sealed with the current key, each may have either fingerprint. */
  fingerprints(text: string): string[];
  /** Derives a separate secret for another purpose, in hexadecimal. The same SECRET_KEY and purpose give the same secret. */
  derive(purpose: string): string;
  /** Like `derive`, but from the previous key. Null if there is no previous key. */
  derivePrevious(purpose: string): string | null;
}

/**
 * @param secretKey SECRET_KEY: any text of at least 16 characters
 * @param previousKey SECRET_KEY_PREVIOUS, while the key is being replaced; used only to open sealed texts
 */
export function createSecretBox(secretKey: string, previousKey?: string): SecretBox {
  const current = boxKey(secretKey);
  const previous = previousKey === undefined ? null : boxKey(previousKey);
  const marks = [secretKey, ...(previousKey === undefined ? [] : [previousKey])].map((key) => derived(key, 'fingerprints'));
  return {
    seal(plaintext) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current, nonce);
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open: (sealed) => {
      try {
        return openWith(current, sealed);
      } catch (error) {
        if (previous === null) throw error;
        return openWith(previous, sealed);
      }
    },
    isCurrent: (sealed) => {
      try {
        openWith(current, sealed);
        return true;
      } catch {
        return false;
      }
    },
    fingerprint: (text) => fingerprint(marks[0]!, text),
    fingerprints: (text) => marks.map((key) => fingerprint(key, text)),
    derive: (purpose) => derived(secretKey, purpose),
    derivePrevious: (purpose) => (previousKey === undefined ? null : derived(previousKey, purpose)),
  };
}

/** Returns the key as Node keeps it: with bytes, opening a short text takes five times as long, and a list may have thousands. */
function boxKey(secretKey: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'affiliate secret box v1', 32)));
}

function derived(secretKey: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `affiliate ${purpose} v1`, 32)).toString('hex');
}

function fingerprint(key: string, text: string): string {
  return createHmac('sha256', key).update(text.toLowerCase()).digest('base64url');
}

function openWith(key: KeyObject, sealed: string): string {
  const [version, payload] = sealed.split('.', 2);
  if (version !== 'v1' || !payload) throw new Error('The text is not a sealed secret.');
  const bytes = Buffer.from(payload, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

declare module '../db/tables.ts' {
  interface Tables {
    /** One row with the check value of the SECRET_KEY that seals the values of this database. */
    secret_key_check: { id: boolean; value: string; set_at: Instant };
  }
}

/** Purpose of the check value, which is derived from the key and stored in the database. The value reveals nothing about the key. */
const PURPOSE = 'secret key check';

interface Needed {
  database: Database;
  secrets: SecretBox;
  clock: Clock;
}

/**
 * Reports whether the process has the key of this database's secrets (docs/rules/platform.md#stored-secrets), as its current or its previous key.
 * Compares the key with the stored check value. The first process that opens the database stores it, before anything is sealed.
 */
export async function isKeyOfDatabase(services: Needed): Promise<boolean> {
  const { database, secrets, clock } = services;
  const known = [secrets.derive(PURPOSE), secrets.derivePrevious(PURPOSE)];
  const stored = await storedCheck(services);
  if (stored !== null) return known.includes(stored);
  await database.kysely
    .insertInto('secret_key_check')
    .values({ id: true, value: secrets.derive(PURPOSE), set_at: toInstant(clock.now()) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  // Another process, with another key, may have stored its check value first.
  return known.includes((await storedCheck(services)) ?? '');
}

/** Reports whether a process has opened the database with a key, so that its secrets need that key. */
export async function hasSecretKey(database: Database): Promise<boolean> {
  return (await storedCheck({ database })) !== null;
}

/** Stores the check value of the current key. Call it once no value is sealed with another key. */
export async function storeKeyCheck({ database, secrets, clock }: Needed): Promise<void> {
  const row = { value: secrets.derive(PURPOSE), set_at: toInstant(clock.now()) };
  await database.kysely
    .insertInto('secret_key_check')
    .values({ id: true, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function storedCheck({ database }: Pick<Needed, 'database'>): Promise<string | null> {
  const row = await database.kysely.selectFrom('secret_key_check').select('value').executeTakeFirst();
  return row?.value ?? null;
}
