const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Returns the names of the placeholders in a text. */
export function namedPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Replaces the placeholders in a text with their values. Executes nothing, and does not replace placeholders within values. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? values[name]! : ''));
}

/** Returns the paragraphs of a text with their placeholders replaced. Leaves out paragraphs that contain a placeholder without a value. */
export function fillInParagraphs(text: string, values: Readonly<Record<string, string>>): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && namedPlaceholders(paragraph).every((name) => (values[name] ?? '') !== ''))
    .map((paragraph) => fillIn(paragraph, values));
}
