import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno, OperatorError } from './errors.ts';

/**
 * Returns the secret key of an installation without SECRET_KEY. The key is generated once and stored in `DATA_DIR/secret-key` with mode 600.
 * Every backup of the directory must include it, because webhook secrets and the payment provider's key are encrypted with it.
 *
 * @throws OperatorError if the file is empty
 */
export async function loadOrCreateSecretKey(dataDir: string): Promise<string> {
  const kept = await loadSecretKey(dataDir);
  if (kept !== null) return kept;
  const path = join(dataDir, 'secret-key');
  await mkdir(dataDir, { recursive: true });
  // Written to a draft and then linked, so that two processes that start at once both use the complete key of the first.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
  return loadOrCreateSecretKey(dataDir);
}

/**
 * Returns the key in `DATA_DIR/secret-key`, or null if there is no such file.
 *
 * @throws OperatorError if the file is empty
 */
export async function loadSecretKey(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'secret-key');
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (key !== '') return key;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  throw new OperatorError(
    `${path} is empty. Restore the file from a backup. Without its key, the secrets in the database cannot be decrypted.`,
  );
}
