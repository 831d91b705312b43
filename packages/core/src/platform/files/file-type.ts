import { LongWork } from '@affiliate/postgres';

/** Number of bytes at the beginning of a file in which its format names itself. */
const HEAD_BYTES = 256 * 1024;
/** Number of bytes at the beginning of a text in which an SVG image names itself. */
const SVG_BYTES = 16 * 1024;
/** Number of bytes of a file that are checked at a time. */
const PART_BYTES = 64 * 1024;

/** Type of the bytes at the beginning of a file. `undefined` if they name no format: then the file may be a text. */
interface Head {
  format: string | undefined;
  isSvg: boolean;
}

/** Detects the content type of a file from its bytes, whatever its name, while they arrive. */
export class FileTypeCheck {
  readonly #long: LongWork;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isText = true;
  #beginning: Buffer[] = [];
  #size = 0;
  #head: Head | null = null;

  /** @param party party for which the file is checked. Default: the party of the running work */
  constructor(party?: string) {
    this.#long = new LongWork(party);
  }

  /** Checks the next part of the file. */
  async add(part: Uint8Array): Promise<void> {
    await this.#long.letOthersIn();
    if (this.#isText) this.#isText = isText(() => this.#decoder.decode(part, { stream: true }));
    if (this.#head !== null) return;
    this.#beginning.push(Buffer.from(part));
    this.#size += part.length;
    if (this.#size >= HEAD_BYTES) await this.#detect();
  }

  /** True as soon as it is certain that the type is unknown, whatever follows. */
  get isUnknown(): boolean {
    return this.#head !== null && this.#head.format === undefined && !this.#isText;
  }

  /** Returns the type after the last part: `text/plain` for readable text, and null if the type is unknown. */
  async type(): Promise<string | null> {
    const { format, isSvg } = this.#head ?? (await this.#detect());
    const isReadable = this.#isText && isText(() => this.#decoder.decode());
    if (isReadable && isSvg && (format === undefined || format === 'application/xml')) return 'image/svg+xml';
    return format ?? (isReadable ? 'text/plain' : null);
  }

  async #detect(): Promise<Head> {
    const { fileTypeFromBuffer } = await import('file-type');
    const bytes = Buffer.concat(this.#beginning);
    this.#beginning = [];
    this.#head = { format: (await fileTypeFromBuffer(bytes))?.mime, isSvg: isSvg(bytes) };
    return this.#head;
  }
}

/** Detects the content type of a file from its bytes. Returns null if it is unknown. */
export async function fileTypeOf(bytes: Uint8Array): Promise<string | null> {
  const check = new FileTypeCheck();
  for (let at = 0; at < bytes.length; at += PART_BYTES) await check.add(bytes.subarray(at, at + PART_BYTES));
  return check.type();
}

/** True for UTF-8 without control characters other than white space. */
function isText(decode: () => string): boolean {
  try {
    return !/[^\P{Cc}\t\n\r\f]/u.test(decode());
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** True if a text is an SVG image. */
function isSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(new TextDecoder().decode(bytes.subarray(0, SVG_BYTES)).slice(0, 4_096));
}
