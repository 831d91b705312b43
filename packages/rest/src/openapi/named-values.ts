import { CONVERSION_STATES } from '@affiliate/core';
import type { oas31 } from 'zod-openapi';

/**
 * Enumerations that become named schemas. Without a name here, client generators derive one from the parameter, and `conversion_state` and
 * its alias `conversionState` would get the same name.
 */
const NAMED: Readonly<Record<string, readonly string[]>> = { ConversionState: CONVERSION_STATES };

/** Replaces the listed enumerations everywhere in the document by references to named schemas. Adds only the schemas that are used. */
export function nameValues(document: oas31.OpenAPIObject): void {
  const names = new Map(Object.entries(NAMED).map(([name, values]) => [JSON.stringify(values), name]));
  const used = new Set<string>();
  replaceIn(document, names, used);
  const schemas = ((document.components ??= {}).schemas ??= {});
  for (const [name, values] of Object.entries(NAMED)) if (used.has(name)) schemas[name] = { type: 'string', enum: [...values] };
}

function replaceIn(value: unknown, names: ReadonlyMap<string, string>, used: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const child of Object.values(value)) replaceIn(child, names, used);
  const schema = value as Record<string, unknown>;
  const name = names.get(JSON.stringify(schema['enum']));
  if (name === undefined || schema['type'] !== 'string') return;
  delete schema['enum'];
  delete schema['type'];
  used.add(name);
  schema['$ref'] = `#/components/schemas/${name}`;
}
