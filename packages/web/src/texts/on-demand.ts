/** A format of `Intl` that is made when it is first used: the browser reads much data for each, and few pages use all of them. */
export function onDemand<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}
