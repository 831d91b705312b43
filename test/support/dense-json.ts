/** JSON objects of at most a megabyte that take long to parse or to validate, although they contain almost nothing. */
export const DENSE_JSON = {
  'nested arrays': `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'empty objects': `{"a":[${'{},'.repeat(340_000)}{}]}`,
  'many fields': `{${Array.from({ length: 75_000 }, (_, i) => `"f${i}":1`).join()}}`,
} as const;
