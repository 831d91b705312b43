import { type Logger, destination, pino } from 'pino';

/**
 * Opens the log: one JSON object per line. `start` and the other roles log to standard output. Commands log to standard error, since their
 * standard output is their result.
 */
export function openLog(level: string, stream: 'stdout' | 'stderr'): Logger {
  const sink = destination({ fd: stream === 'stdout' ? 1 : 2, sync: true });
  // The reader of the log may end first, e.g. a killed launcher. That must not interrupt the shutdown.
  sink.on('error', () => undefined);
  return pino({ level, base: { pid: process.pid }, timestamp: () => `,"time":"${new Date().toISOString()}"` }, sink);
}
