/**
 * Detects the content type of a file from its bytes, whatever its name. Returns `text/plain` for readable text, and null if the type
 * is unknown.
 */
export async function fileTypeOf(bytes: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found) return found.mime === 'application/xml' && isSvg(bytes) ? 'image/svg+xml' : found.mime;
  const text = textOf(bytes);
  if (text === null) return null;
  return isSvg(bytes) ? 'image/svg+xml' : 'text/plain';
}

/** Decodes UTF-8. Returns null for other bytes, and for text with control characters other than white space. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[^\P{Cc}\t\n\r\f]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

function isSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(textOf(bytes)?.slice(0, 4_096) ?? '');
}
