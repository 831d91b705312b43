/** Returns the values of several fields of credentials, which are stored as a JSON object. Missing ones are empty. */
export function credentialsIn<Name extends string>(text: string, names: readonly Name[]): Record<Name, string> {
  let entered: unknown = null;
  try {
    entered = JSON.parse(text);
  } catch {
    // Not credentials of this source.
  }
  const values = new Map<string, unknown>(Object.entries(entered ?? {}));
  const valueOf = (name: Name) => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>;
}
