/** Ends a process of the program with the benchmark that has forked it, also when that fails or is killed. */
process.on('disconnect', () => process.exit());
// The channel alone must not keep the process alive.
process.channel?.unref();
