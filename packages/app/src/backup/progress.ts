const EVERY_MS = 2_000;

/** Tells the operator on standard error how far a backup or restore is: a line per table with rows, and one every two seconds. */
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
