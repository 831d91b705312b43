import type { LogFn, Logger } from 'pino';

/** Time for which a fault is summed up before a line says how often it happened. */
const SUM_MS = 1_000;
/** Maximum number of different faults that are summed up at a time. Further ones are written in full. */
const MOST_FAULTS = 100;
const WARN = 40;

/** A fault that has been written once and happens again. */
interface Fault {
  logger: Logger;
  level: number;
  message: string;
  /** Error without its stack. */
  err: { type: string; message: string };
  repeated: number;
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/**
 * Returns a hook for pino that writes a fault in full once and then, while it continues, one line a second with the number of its repetitions. Otherwise a
 * database that cannot be reached would write a stack trace for each request. A fault is a warning or error with an `err`; two faults are the same if level,
 * message and error are the same.
 */
export function summingUpFaults(): LogMethod {
  const faults = new Map<string, Fault>();
  const sumUp = (key: string) => {
    const { logger, level, message, err, repeated } = faults.get(key)!;
    faults.delete(key);
    if (repeated === 0) return;
    faults.set(key, { logger, level, message, err, repeated: 0 });
    setTimeout(sumUp, SUM_MS, key).unref();
    logger[level > WARN ? 'error' : 'warn']({ repeated, fault: err }, message);
  };
  process.on('exit', () => {
    for (const key of faults.keys()) sumUp(key);
  });
  return function (args, method, level) {
    const [fields, message] = args as unknown as [unknown, unknown];
    const err = errorIn(fields);
    const isFault = level >= WARN && err !== null && typeof message === 'string';
    const key = isFault ? `${level} ${message} ${err.type} ${err.message}` : null;
    const known = key === null ? undefined : faults.get(key);
    if (known) known.repeated += 1;
    else method.apply(this, args);
    if (!isFault || known || faults.size >= MOST_FAULTS) return;
    faults.set(key!, { logger: this, level, message, err, repeated: 0 });
    setTimeout(sumUp, SUM_MS, key!).unref();
  };
}

function errorIn(fields: unknown): Fault['err'] | null {
  const err = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : null;
  return err instanceof Error ? { type: err.name, message: err.message } : null;
}
