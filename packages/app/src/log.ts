import { type Logger, destination, pino } from 'pino';
import { summingUpFaults } from './log-faults.ts';

/**
 * Time during which lines about requests are collected and then written together. A system call for each line would take as long as creating
 * the line.
 */
const GATHER_MS = 20;
const WARN = 40;
/** Message of log lines whose writing may be delayed (packages/rest/src/access-log.ts). */
const OF_REQUESTS = 'request';

/** Destination of a log. Pino sets the level and the message of each line (`pino.metadata`). */
interface Sink {
  lastLevel: number;
  lastMsg?: string;
  write(line: string): void;
}

/**
 * Opens the log: one JSON object per line. `start` and the other roles log to standard output. Commands log to standard error, because their
 * standard output contains only their result.
 */
export function openLog(level: string, stream: 'stdout' | 'stderr'): Logger {
  const file = destination({ fd: stream === 'stdout' ? 1 : 2, sync: true });
  // The reader of the log, e.g. a killed launcher, may end first. That must not interrupt the shutdown.
  file.on('error', () => undefined);
  const timestamp = () => `,"time":"${new Date().toISOString()}"`;
  const faults = summingUpFaults();
  return pino(
    { level, base: { pid: process.pid }, timestamp, hooks: { logMethod: faults } },
    gathering((lines) => file.write(lines)),
  );
}

/**
 * Returns a destination that writes each line at once. Exception: lines about requests that follow each other within `GATHER_MS` are collected and
 * written together. When the process exits, the collected lines are written.
 */
function gathering(write: (lines: string) => void): Sink {
  let gathered = '';
  let lastWrite = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered === '') return;
    const lines = gathered;
    gathered = '';
    lastWrite = performance.now();
    write(lines);
  };
  process.on('exit', flush);
  return {
    lastLevel: 0,
    [Symbol.for('pino.metadata')]: true,
    write(line) {
      gathered += line;
      const mayWait = this.lastMsg === OF_REQUESTS && this.lastLevel < WARN;
      if (!mayWait || performance.now() - lastWrite >= GATHER_MS) flush();
      else timer ??= setTimeout(flush, GATHER_MS).unref();
    },
  };
}
