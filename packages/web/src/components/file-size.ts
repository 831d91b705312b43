import { LOCALE } from '../texts/language.ts';

const KILOBYTE = 1_000;

/** Formats a size in bytes, e.g. `12 kB`. */
export function fileSize(bytes: number): string {
  const [size, unit] = bytes < KILOBYTE * KILOBYTE ? [bytes / KILOBYTE, 'kilobyte'] : [bytes / (KILOBYTE * KILOBYTE), 'megabyte'];
  return size.toLocaleString(LOCALE, { style: 'unit', unit, maximumFractionDigits: 1 });
}
