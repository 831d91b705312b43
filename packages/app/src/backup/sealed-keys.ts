import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '../errors.ts';

/** Keys of an installation, described as SECRET_KEY and SECRET_KEY_PREVIOUS in docs/configuration.md. */
export interface Keys {
  secret_key: string;
  secret_key_previous: string | null;
}

const Keys = z.object({ secret_key: z.string(), secret_key_previous: z.string().nullable() });
const PURPOSE = Buffer.from('affiliate backup keys v1');
/** Cost of scrypt: each guess of the passphrase takes half a second and 128 MB. */
const COST = { N: 2 ** 17, r: 8, p: 1 };

const SealedKeys = z.object({
  kdf: z.literal('scrypt'),
  N: z.literal(COST.N),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  cipher: z.literal('aes-256-gcm'),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  keys: z.base64(),
});

/** Encrypts the keys under a passphrase. Returns JSON. */
export async function sealKeys(keys: Keys, passphrase: string): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt), nonce).setAAD(PURPOSE);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(keys)), cipher.final()]);
  const parts = { salt, nonce, tag: cipher.getAuthTag(), keys: sealed };
  const texts = Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64')]));
  return Buffer.from(`${JSON.stringify({ kdf: 'scrypt', ...COST, cipher: 'aes-256-gcm', ...texts })}\n`);
}

/**
 * Decrypts the keys of a backup.
 *
 * @throws OperatorError if the passphrase is wrong
 */
export async function openKeys(text: Buffer, passphrase: string): Promise<Keys> {
  const sealed = SealedKeys.parse(JSON.parse(text.toString('utf8')));
  const bytes = (base64: string) => Buffer.from(base64, 'base64');
  const key = await stretch(passphrase, bytes(sealed.salt));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.nonce), { authTagLength: 16 })
    .setAAD(PURPOSE)
    .setAuthTag(bytes(sealed.tag));
  try {
    const opened = Buffer.concat([decipher.update(bytes(sealed.keys)), decipher.final()]);
    return Keys.parse(JSON.parse(opened.toString('utf8')));
  } catch (error) {
    throw new OperatorError(
      'BACKUP_PASSPHRASE is not the passphrase of this backup. Nothing was changed. Set BACKUP_PASSPHRASE to the passphrase with which the backup was made.',
      { cause: error },
    );
  }
}

function stretch(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...COST, maxmem: 256 * 2 ** 20 };
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
