import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from './errno.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The SECRET_KEY of an installation that was given none: made once, kept in `DATA_DIR/secret-key` with mode 600. What it sealed (webhook
 * secrets, the payment provider's key) cannot be opened without it, so it belongs into every backup of the directory.
 */
export async function generatedSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key');
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (key === '')
      throw new OperatorError(
        `${path} is empty. Restore it from a backup: the secrets in the database cannot be decrypted without it.`,
      );
    return key;
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  await mkdir(dataDir, { recursive: true });
  // Written aside and then linked: of two processes that start at once, both use the first one's key, whole.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
  return generatedSecretKey(dataDir);
}
