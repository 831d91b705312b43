import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { openLog } from './log.ts';

const run = promisify(execFile);

/**
 * Tells systemd that the process is ready (`Type=notify`), and then, three times in the time of `WatchdogSec`, that it is alive, unless `isAlive`
 * denies it. systemd restarts a process that it does not hear from. Node has no datagram sockets of files, so `systemd-notify` sends the messages. Does
 * nothing if systemd has not started the process.
 */
export function notifySystemd(isAlive: () => Promise<boolean>, log: ReturnType<typeof openLog>): { stop(): void } {
  if (!process.env['NOTIFY_SOCKET']) return { stop: () => undefined };
  const tell = (message: string) =>
    run('systemd-notify', [message]).catch((err: unknown) => log.warn({ err, message }, 'systemd was not notified'));
  void tell('READY=1');
  const watchdogMs = Number(process.env['WATCHDOG_USEC'] ?? 0) / 1_000;
  if (!(watchdogMs > 0)) return { stop: () => undefined };
  const report = async () => {
    if (await isAlive()) await tell('WATCHDOG=1');
    else log.error({}, 'the process hangs; systemd will restart it');
  };
  const timer = setInterval(() => void report(), watchdogMs / 3);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
