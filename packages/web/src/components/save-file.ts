/** Saves the joined parts as a file, by default a CSV file, like a download. */
export function saveFile(name: string, parts: BlobPart[], type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
