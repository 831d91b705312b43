/** On SIGUSR2, prints the memory of the process before and after a full garbage collection. Needs Node's option `--expose-gc`. */
const MIB = 1024 * 1024;

process.on('SIGUSR2', () => {
  const before = process.memoryUsage();
  globalThis.gc!();
  const after = process.memoryUsage();
  const figures = Object.entries(before).map(
    ([name, bytes]) => `${name} ${Math.round(bytes / MIB)} -> ${Math.round(after[name as keyof NodeJS.MemoryUsage] / MIB)}`,
  );
  process.stderr.write(`MiB before and after a full collection: ${figures.join(', ')}\n`);
});
