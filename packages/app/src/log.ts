import { type Logger, destination, pino } from 'pino';

/** Lines about requests within this time of a write are written together: a system call for each takes as long as making the line. */
const GATHER_MS = 20;
const WARN = 40;
/** Message of the lines that may wait (packages/rest/src/access-log.ts). */
const OF_REQUESTS = 'request';

/** The sink of a log, which pino tells what each line says (`pino.metadata`). */
interface Sink {
  lastLevel: number;
  lastMsg?: string;
  write(line: string): void;
}

/**
 * Opens the log: one JSON object per line. `start` and the other roles log to standard output. Commands log to standard error, since their
 * standard output is their result.
 */
export function openLog(level: string, stream: 'stdout' | 'stderr'): Logger {
  const file = destination({ fd: stream === 'stdout' ? 1 : 2, sync: true });
  // The reader of the log may end first, e.g. a killed launcher. That must not interrupt the shutdown.
  file.on('error', () => undefined);
  const timestamp = () => `,"time":"${new Date().toISOString()}"`;
  return pino(
    { level, base: { pid: process.pid }, timestamp },
    gathering((lines) => file.write(lines)),
  );
}

/** Writes each line at once, but gathers those about requests that follow closely. The end of the process writes the rest. */
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
