const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** The names of the placeholders in a text. */
export function namedPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Replaces the placeholders of a text. Nothing in it is executed, and values are not looked at again. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? values[name]! : ''));
}

/** The paragraphs of a text, filled in, without those that name a placeholder whose value is empty. */
export function fillInParagraphs(text: string, values: Readonly<Record<string, string>>): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && namedPlaceholders(paragraph).every((name) => (values[name] ?? '') !== ''))
    .map((paragraph) => fillIn(paragraph, values));
}
