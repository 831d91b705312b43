/** A value of a list, in quotes if it contains a comma, a quote, or spaces at an end. */
const VALUE = /\s*(?:"((?:[^"]|"")*)"?[^,]*|([^,]*))(?:,|$)/gy;

/** Writes values as one text, separated by commas. */
export function listText(values: readonly string[]): string {
  return values.map((value) => (isPlain(value) ? value : `"${value.replaceAll('"', '""')}"`)).join(', ');
}

function isPlain(value: string): boolean {
  return !/[",]/.test(value) && value === value.trim();
}

/** Reads the values of a text of `listText` or of a person. Leaves out empty values. */
export function listIn(text: string): string[] {
  return [...text.matchAll(VALUE)]
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((value) => value.trim() !== '');
}
