import { appRouter } from '@affiliate/core';
import { expect, test } from 'vitest';

// A computed path, because the pages are checked with types of their own.
const path = '../../packages/web/src/texts/fields.ts';

/** Returns the names of all input fields of the mutations. */
function inputNames(): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (schema: unknown): void => {
    const def = (schema as { _zod?: { def: Record<string, unknown> } } | undefined)?._zod?.def;
    if (!def || seen.has(schema)) return;
    seen.add(schema);
    for (const [name, field] of Object.entries((def['shape'] as object | undefined) ?? {})) {
      names.add(name);
      walk(field);
    }
    for (const part of ['innerType', 'element', 'in', 'out', 'left', 'right', 'valueType']) walk(def[part]);
    for (const option of (def['options'] as unknown[] | undefined) ?? []) walk(option);
  };
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string; inputs: unknown[] } }>;
  for (const { _def } of Object.values(procedures)) if (_def.type === 'mutation') _def.inputs.forEach(walk);
  return [...names];
}

test('every input field has a German label, for refusals that name it', async () => {
  const { germanLabelOf } = (await import(path)) as { germanLabelOf: (path: string) => string | undefined };
  const names = inputNames();
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name) => germanLabelOf(name) === undefined)).toEqual([]);
});
