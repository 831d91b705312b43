const EVERY_MS = 2_000;

/** Reports the progress of a backup or restore on standard error: a line for each finished table that has rows, and a line every two seconds. */
export function reportProgress(tables: number): {
  moved(table: string, bytes: number): void;
  done(table: string, rows: number): void;
} {
  let finished = 0;
  let bytesOfTable = 0;
  let last = performance.now();
  return {
    moved(table, bytes) {
      bytesOfTable += bytes;
      if (performance.now() - last < EVERY_MS) return;
      last = performance.now();
      process.stderr.write(`${table}: ${Math.round(bytesOfTable / 1e6)} MB so far\n`);
    },
    done(table, rows) {
      finished += 1;
      bytesOfTable = 0;
      if (rows > 0) process.stderr.write(`${finished}/${tables} ${table}: ${rows.toLocaleString('en-US')} rows\n`);
    },
  };
}
