import { isErrno } from './errno.ts';

/** The caller's environment (PGDATA, PGPORT, …) must not reach the server. LC_ALL keeps its messages in English. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env['PATH'], LC_ALL: 'C' };

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}
