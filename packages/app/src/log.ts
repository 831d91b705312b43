import { type Logger, destination, pino } from 'pino';

/**
 * The log: one JSON object a line. `start` and the other roles write it to standard output; commands write it to standard error, because
 * their standard output is their result.
 */
export function openLog(level: string, stream: 'stdout' | 'stderr'): Logger {
  const sink = destination({ fd: stream === 'stdout' ? 1 : 2, sync: true });
  // Whoever read the log may be gone before we are, as when the launcher is killed: that must not end us half-way.
  sink.on('error', () => undefined);
  return pino({ level, base: { pid: process.pid }, timestamp: () => `,"time":"${new Date().toISOString()}"` }, sink);
}
