/**
 * Creates an `Intl` format when it is first used. Creating one is slow, because the browser reads a lot of data for it, and few pages use
 * all formats.
 */
export function onDemand<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}
