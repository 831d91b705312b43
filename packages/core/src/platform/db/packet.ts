import pg from 'pg';

/** The library's conversion of values to text, or to bytes for those that are bytes. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => string | Buffer | null } }).utils;

const CODE = { parse: 0x50, bind: 0x42, describe: 0x44, execute: 0x45 } as const;
const NULL_LENGTH = -1;
const TEXT_FORMAT = 0;
const BYTES_FORMAT = 1;
/** Texts up to this length are copied here: calling into Node takes longer. */
const SHORT = 40;
const SCRATCH_BYTES = 65_536;
/** The most bytes that UTF-8 takes for a unit of UTF-16. */
const BYTES_PER_UNIT = 3;

/** Packets are made one after the other, so they share the place where they are made. */
let scratch = Buffer.allocUnsafe(SCRATCH_BYTES);

/**
 * Messages of PostgreSQL's extended protocol, written one after the other into the bytes that are sent. The library makes a buffer for each message
 * and hands it to the socket, which takes longer than making it.
 */
export class Packet {
  #end = 0;
  #start = 0;

  parse(name: string, text: string): void {
    this.#begin(CODE.parse);
    this.#cString(name);
    this.#cString(text);
    this.#int16(0);
    this.#finish();
  }

  /** Binds values to the unnamed portal. If a value has no text, it throws, and the packet is as before. */
  bind(statement: string, values: readonly unknown[]): void {
    this.#begin(CODE.bind);
    try {
      this.#cString('');
      this.#cString(statement);
      this.#int16(values.length);
      this.#reserve(2 * values.length);
      const formats = this.#end;
      this.#end += 2 * values.length;
      this.#int16(values.length);
      for (let index = 0; index < values.length; index += 1) {
        const format = this.#value(values[index]);
        scratch[formats + 2 * index] = 0;
        scratch[formats + 2 * index + 1] = format;
      }
      this.#int16(1);
      this.#int16(TEXT_FORMAT);
    } catch (error) {
      this.#end = this.#start;
      throw error;
    }
    this.#finish();
  }

  describePortal(): void {
    this.#begin(CODE.describe);
    this.#cString('P');
    this.#finish();
  }

  execute(): void {
    this.#begin(CODE.execute);
    this.#cString('');
    this.#int32(0);
    this.#finish();
  }

  /** The bytes of all messages. The packet is empty afterwards. */
  take(): Buffer {
    const end = this.#end;
    this.#end = 0;
    if (scratch.length === SCRATCH_BYTES) return Buffer.from(scratch.subarray(0, end));
    const taken = scratch.subarray(0, end);
    scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
    return taken;
  }

  #begin(code: number): void {
    this.#start = this.#end;
    this.#reserve(5);
    scratch[this.#end] = code;
    this.#end += 5;
  }

  /** Writes the length of the message, which counts itself and not the code before it. */
  #finish(): void {
    scratch.writeInt32BE(this.#end - this.#start - 1, this.#start + 1);
  }

  #value(value: unknown): number {
    const prepared = typeof value === 'string' ? value : prepareValue(value);
    if (prepared === null) {
      this.#int32(NULL_LENGTH);
      return TEXT_FORMAT;
    }
    if (typeof prepared !== 'string') {
      this.#int32(prepared.length);
      this.#reserve(prepared.length);
      prepared.copy(scratch, this.#end);
      this.#end += prepared.length;
      return BYTES_FORMAT;
    }
    this.#reserve(4);
    const at = this.#end;
    this.#end += 4;
    this.#text(prepared);
    scratch.writeInt32BE(this.#end - at - 4, at);
    return TEXT_FORMAT;
  }

  #cString(text: string): void {
    this.#text(text);
    this.#reserve(1);
    scratch[this.#end] = 0;
    this.#end += 1;
  }

  #text(text: string): void {
    this.#reserve(BYTES_PER_UNIT * text.length);
    if (text.length > SHORT || !this.#ascii(text)) this.#end += scratch.write(text, this.#end);
  }

  /** Copies a text of ASCII characters. Returns false for another one, of which it copies nothing that counts. */
  #ascii(text: string): boolean {
    const bytes = scratch;
    const start = this.#end;
    const { length } = text;
    for (let index = 0; index < length; index += 1) {
      // oxlint-disable-next-line unicorn/prefer-code-point -- units above ASCII end the loop, whatever they are
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return false;
      bytes[start + index] = unit;
    }
    this.#end = start + length;
    return true;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#end = scratch.writeUInt16BE(value, this.#end);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#end = scratch.writeInt32BE(value, this.#end);
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= scratch.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * scratch.length));
    scratch.copy(larger, 0, 0, this.#end);
    scratch = larger;
  }
}
