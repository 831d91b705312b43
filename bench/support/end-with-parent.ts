/** Ends this process when the benchmark that forked it ends, even if the benchmark fails or is killed. */
process.on('disconnect', () => process.exit());
// The channel to the parent must not keep the process alive.
process.channel?.unref();
