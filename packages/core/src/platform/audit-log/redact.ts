/** Names of fields whose values are secret. Addresses of payout methods may be bank accounts, and files have people's data. */
const SECRET_FIELD =
  /secret|password|passwd|authorization|credential|api_?key|bearer|private_key|^address$|^content$|^bank_report$|^wallet[ab]_email$/i;
/**
 * Secrets that can be recognized in any text: tokens and keys of the service, signing secrets of webhooks, and keys of the
 * payment provider.
 */
const SECRET_TEXT = /\b(?:apk|mcp|mca|mcr|sil|pat)_[0-9A-Za-z]{30,}|\b(?:sk|rk)_(?:live|test)_\w+|\bwhsec_[\w-]+/g;
const REDACTED = '[redacted]';
const MAX_TEXT = 2_000;
const MAX_ITEMS = 200;
/** Of the items of a bulk call, each an object. */
const MAX_OBJECTS = 20;
const MAX_DEPTH = 8;

/**
 * Copies a caller's input for storage and display. The copy has no secrets, can be stored in PostgreSQL, and is bounded in size.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[nested too deeply]';
  if (Array.isArray(value)) {
    const max = typeof value[0] === 'object' ? MAX_OBJECTS : MAX_ITEMS;
    const kept = value.slice(0, max).map((item) => redact(item, depth + 1));
    return value.length > max ? [...kept, `[${value.length - max} more]`] : kept;
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([name, child]) => [redactText(name), SECRET_FIELD.test(name) ? REDACTED : redact(child, depth + 1)]),
  );
}

function redactText(text: string): string {
  const storable = text.replaceAll('\0', '').toWellFormed().replaceAll(SECRET_TEXT, REDACTED);
  return storable.length > MAX_TEXT ? `${storable.slice(0, MAX_TEXT).toWellFormed()}… [${storable.length} characters]` : storable;
}
