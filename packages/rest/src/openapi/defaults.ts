import type { oas31 } from 'zod-openapi';

/**
 * States the defaults of fields in their descriptions. Generators of types take a field with a `default` for one that is always there, so in
 * requests it would become required. Parameters keep their `default`.
 */
export function stateDefaults({ components }: oas31.OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) stateIn(schema);
}

function stateIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const child of Object.values(value)) stateIn(child);
  const { properties } = value as oas31.SchemaObject;
  for (const property of Object.values(properties ?? {}) as oas31.SchemaObject[]) {
    if (!('default' in property)) continue;
    const stated = `Default: \`${JSON.stringify(property.default)}\`.`;
    delete property.default;
    property.description = [property.description, stated].filter(Boolean).join(' ');
  }
}
