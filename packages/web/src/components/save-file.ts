import { BYTE_ORDER_MARK } from '@affiliate/core/browser';

/** Saves the joined parts as a CSV file, like a download. */
export function saveCsv(name: string, parts: BlobPart[]): void {
  saveFile(name, [BYTE_ORDER_MARK, ...parts], 'text/csv;charset=utf-8');
}

/** Saves the joined parts as a file, like a download. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
