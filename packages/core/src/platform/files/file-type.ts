import { LongWork } from '@affiliate/postgres';

/** Number of bytes of a text that are decoded and checked at a time. */
const TEXT_BYTES = 128 * 1024;
/** Number of bytes at the beginning of a text in which an SVG image names itself. */
const HEAD_BYTES = 16 * 1024;

/**
 * Detects the content type of a file from its bytes, whatever its name. Returns `text/plain` for readable text, and null if the type
 * is unknown.
 */
export async function fileTypeOf(bytes: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found) return found.mime === 'application/xml' && isSvg(bytes) && (await isText(bytes)) ? 'image/svg+xml' : found.mime;
  if (!(await isText(bytes))) return null;
  return isSvg(bytes) ? 'image/svg+xml' : 'text/plain';
}

/** True for UTF-8 without control characters other than white space. Checks the bytes in parts that let others have the processor. */
async function isText(bytes: Uint8Array): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const long = new LongWork();
  try {
    for (let at = 0; at < bytes.length; at += TEXT_BYTES) {
      await long.letOthersIn();
      const text = decoder.decode(bytes.subarray(at, at + TEXT_BYTES), { stream: at + TEXT_BYTES < bytes.length });
      if (/[^\P{Cc}\t\n\r\f]/u.test(text)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** True if a text is an SVG image. */
function isSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).slice(0, 4_096));
}
