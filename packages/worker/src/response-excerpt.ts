/** Maximum number of bytes of a response body that are stored (docs/rules/webhooks.md#deliveries). */
const MAX_EXCERPT_BYTES = 16 * 1024;

/**
 * Returns the beginning of a body as text. Stops reading at the limit and closes the connection, so that an endless body costs no more than
 * a short one. Never rejects: if the body breaks off, returns what has arrived.
 */
export async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MAX_EXCERPT_BYTES) break;
    }
  } catch {
    // A body that breaks off is not an error. The status has been received, and only the status decides whether the attempt succeeded.
  }
  const bytes = Buffer.concat(chunks, Math.min(size, MAX_EXCERPT_BYTES));
  // With `stream`, the decoder omits a character that the limit cut in two.
  return storableText(new TextDecoder().decode(bytes, { stream: size > MAX_EXCERPT_BYTES }));
}

/** Replaces NUL, which PostgreSQL cannot store in text, with the replacement character. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
