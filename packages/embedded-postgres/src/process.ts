import { isErrno } from './errno.ts';

/**
 * Environment of the server, without the caller's variables (PGDATA, PGPORT, …). LC_ALL keeps the server's messages in
 * English.
 */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C' };

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}
