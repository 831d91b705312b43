import { chmod, chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The operating-system account that the database server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

const NOBODY_ON_LINUX: Account = { uid: 65_534, gid: 65_534 };

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the account to run the server as, or undefined for the current user. PostgreSQL refuses to run as root, so root
 * runs it as the owner of the existing cluster or, for a new cluster, as `nobody`.
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

/** Sets the mode of a file or directory, regardless of the umask, and its owner if `account` is given. */
export async function setOwner(account: Account | undefined, path: string, mode: number): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
  await chmod(path, mode);
}
