import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type Assistant, publishedTool } from '../published-tool.ts';
import { TOOLS } from './index.ts';

const everything: Assistant = { kind: 'api_key', id: 'key_1', account_id: 'acct_1', permissions: { all: true } };
const published = TOOLS.map((tool) => publishedTool(tool, everything)!);

interface Property {
  description?: string;
  anyOf?: Property[];
  enum?: string[];
  [keyword: string]: unknown;
}
const propertiesOf = (schema: object) => (schema as { properties: Record<string, Property> }).properties;

describe('the set of tools', () => {
  it('is small enough to be sent in every conversation', () => {
    expect(published.length).toBeLessThanOrEqual(15);
    expect(new Set(published.map(({ name }) => name)).size).toBe(published.length);
    const whatModelsRead = published.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(whatModelsRead).length).toBeLessThan(48_000);
    expect(JSON.stringify({ tools: published }).length).toBeLessThan(60_000);
  });

  it('includes affiliate_promo_codes with all its actions', () => {
    expect(published.map(({ name }) => name)).toContain('affiliate_promo_codes');
    const { inputSchema } = published.find(({ name }) => name === 'affiliate_promo_codes')!;
    expect(propertiesOf(inputSchema)['action']!.enum).toEqual(['list', 'import', 'create', 'refresh', 'stop']);
  });
});

describe.each(published)('$name', ({ name, title, description, inputSchema, outputSchema, annotations }) => {
  it('has a name, a title and a description within their length limits', () => {
    expect(name).toMatch(/^[a-z_]{3,40}$/);
    expect(title).not.toBe('');
    expect(description!.length).toBeGreaterThan(100);
    expect(description!.length).toBeLessThan(1_000);
  });

  it('takes one flat, strict object and describes every argument', () => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(inputSchema['required']).toContain('action');
    const text = JSON.stringify(inputSchema);
    for (const keyword of ['$ref', '$defs', 'oneOf', 'allOf']) expect(text).not.toContain(`"${keyword}"`);
    const undescribed = Object.entries(propertiesOf(inputSchema))
      .filter(([argument]) => argument !== 'action')
      .filter(([, { description, anyOf = [{}] }]) => !description && anyOf.some((choice) => !choice.description));
    expect(undescribed).toEqual([]);
  });

  it('has schemas that pass a strict validator', () => {
    const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true, date: true, email: true, uri: true } });
    expect(() => ajv.compile(inputSchema)).not.toThrow();
    expect(() => ajv.compile(outputSchema!)).not.toThrow();
    expect(outputSchema).toMatchObject({ type: 'object' });
  });

  it('previews by default if it writes', () => {
    const { dry_run, idempotency_key } = propertiesOf(inputSchema);
    const writes = !annotations!.readOnlyHint;
    expect([dry_run?.['default'], idempotency_key?.['type']]).toEqual(writes ? [true, 'string'] : [undefined, undefined]);
  });

  it('is listed as read-only to a caller without write permissions', () => {
    const reads: Assistant = { ...everything, permissions: { all: true, ...denied(/\.write$/) } };
    const form = publishedTool(
      TOOLS.find((tool) => tool.name === name)!,
      reads,
    )!;
    expect(form.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(propertiesOf(form.inputSchema)).not.toHaveProperty('dry_run');
  });
});

function denied(pattern: RegExp): Record<string, boolean> {
  const names = TOOLS.flatMap(({ actions }) => actions.map(({ access }) => `mcp.${access.resource}.${access.action}`));
  return Object.fromEntries(names.filter((name) => pattern.test(name)).map((name) => [name, false]));
}
