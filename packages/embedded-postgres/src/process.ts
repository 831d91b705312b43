import { isErrno } from './errno.ts';

/** Nothing of the caller's environment (PGDATA, PGPORT, …) may reach the server; its own messages stay in English. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C' };

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}
