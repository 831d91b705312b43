import { chmod, chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The operating-system account the database server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

const NOBODY_ON_LINUX: Account = { uid: 65_534, gid: 65_534 };

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * PostgreSQL refuses to run as root, so root hands it to the owner of the existing cluster or, for a new one, to `nobody`.
 * Returns undefined when it runs as the current user.
 */
export async function postgresAccount(clusterDirectory: string): Promise<Account | undefined> {
  if (!runsAsRoot()) return undefined;
  const owner = await stat(clusterDirectory).catch(() => undefined);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody();
}

export async function nobody(): Promise<Account> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : NOBODY_ON_LINUX;
}

/** True if the account may enter `directory` and every directory above it. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(directory);
  const executable = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & executable) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || canEnter(account, parent);
}

/** Makes the account the owner of a file or directory and sets its mode, whatever the umask is. */
export async function setOwner(account: Account | undefined, path: string, mode: number): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
  await chmod(path, mode);
}
