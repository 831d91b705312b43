/** Returns the values of several fields of credentials, which are stored as a JSON object. Missing ones are empty. */
export function credentialsIn<Name extends string>(text: string, names: readonly Name[]): Record<Name, string> {
  let entered: Partial<Record<string, unknown>> = {};
  try {
    entered = JSON.parse(text) as typeof entered;
  } catch {
    // Not credentials of this source.
  }
  return Object.fromEntries(names.map((name) => [name, String(entered?.[name] ?? '')])) as Record<Name, string>;
}
