import type { Logger } from '@affiliate/core';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** Creates a log that stores every line. It also prints errors, so that unexpected ones are visible. */
export function testLog(): Logger & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, message, fields: { ...fields } });
    if (level === 'error') process.stderr.write(`${message} ${formatError(fields)}\n`);
  };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}

function formatError(fields: object): string {
  return 'err' in fields && fields.err instanceof Error ? (fields.err.stack ?? fields.err.message) : JSON.stringify(fields);
}
