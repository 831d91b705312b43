import type { oas31 } from '@affiliate/rest/contract';
import { SPEC_ENDPOINTS } from './spec-endpoints.ts';

/** A contract with a part of its operations and the components that they use, without texts and examples. */
export type Part = Pick<oas31.OpenAPIObject, 'paths' | 'components'>;

const TEXTS = new Set(['description', 'summary', 'example', 'examples', 'title', 'tags', 'externalDocs']);

/** Returns the part of a contract that describes the endpoints of the original specification. */
export function specifiedPart({ paths = {}, components = {} }: oas31.OpenAPIObject): Part {
  const part: Part = { paths: {}, components: {} };
  for (const { method, path } of SPEC_ENDPOINTS) {
    const operation = (paths[path] as Record<string, unknown> | undefined)?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const item = (part.paths![path] ??= {}) as Record<string, unknown>;
    item[method.toLowerCase()] = withoutTexts(operation);
  }
  addReferred(part.paths, components as Components, part.components as Components);
  return part;
}

type Components = Record<string, Record<string, unknown>>;

/** Adds the components that `value` refers to, and those that they refer to. */
function addReferred(value: unknown, from: Components, to: Components): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string') {
      const [kind, name] = child.split('/').slice(2) as [string, string];
      if (to[kind]?.[name] !== undefined) continue;
      const component = withoutTexts(from[kind]![name]);
      (to[kind] ??= {})[name] = component;
      addReferred(component, from, to);
    } else addReferred(child, from, to);
  }
}

/** Returns a copy without descriptions and examples. A property that is called `description` stays. */
function withoutTexts(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((child) => withoutTexts(child));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNamed || (!TEXTS.has(key) && !key.startsWith('x-code')));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutTexts(child, !isNamed && key === 'properties')]));
}
