/** The content type that the bytes of a file show, whatever its name says; `text/plain` for readable text. Null for anything else. */
export async function fileTypeOf(bytes: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found) return found.mime === 'application/xml' && isSvg(bytes) ? 'image/svg+xml' : found.mime;
  const text = textOf(bytes);
  if (text === null) return null;
  return isSvg(bytes) ? 'image/svg+xml' : 'text/plain';
}

/** UTF-8 without control characters; null for other bytes. */
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
