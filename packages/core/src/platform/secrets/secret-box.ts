import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest with AES-256-GCM under a key derived from the installation's SECRET_KEY. */
export interface SecretBox {
  /** Returns `v1.<base64url of nonce, tag and ciphertext>`. */
  seal(plaintext: string): string;
  /** Throws when the text was not sealed with this key or was altered. */
  open(sealed: string): string;
  /** Derives a separate secret for another purpose, in hexadecimal. The same SECRET_KEY and purpose give the same secret. */
  derive(purpose: string): string;
}

/** @param secretKey SECRET_KEY: any text of at least 16 characters. */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'affiliate secret box v1', 32));
  return {
    seal(plaintext) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open(sealed) {
      const [version, payload] = sealed.split('.', 2);
      if (version !== 'v1' || !payload) throw new Error('Not a sealed secret.');
      const bytes = Buffer.from(payload, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    derive: (purpose) => Buffer.from(hkdfSync('sha256', secretKey, '', `affiliate ${purpose} v1`, 32)).toString('hex'),
  };
}
