import { PERMISSION_NAMES } from '@affiliate/core';
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
  it('has different names, and a tool that writes beside the tool that reads', () => {
    const names = published.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const writing = names.filter((name) => name.startsWith('manage_'));
    expect(writing.filter((name) => !names.includes(name.replace('manage_', '')))).toEqual([]);
  });

  it('includes affiliate_promo_codes with all its actions', () => {
    expect(published.map(({ name }) => name)).toContain('affiliate_promo_codes');
    const { inputSchema } = published.find(({ name }) => name === 'affiliate_promo_codes')!;
    expect(propertiesOf(inputSchema)['action']!.enum).toEqual(['list', 'import', 'create', 'create_own', 'refresh', 'stop']);
  });

  it('never returns a secret: no action creates a key, a signing secret or a link to sign in', () => {
    const shown = TOOLS.flatMap(({ actions }) => actions).filter(({ hides }) => !hides.includes('signing_secret'));
    const paths = shown.map(({ procedure }) => procedure.path);
    const secret = /^(apiKeys|connectors)\.|Token|PortalLink|viewPortal|rotate|webhookEndpoints\.create|pspConnection\./;
    expect(paths.filter((path) => secret.test(path))).toEqual([]);
  });
});

describe.each(published)('$name', ({ name, title, description, inputSchema, annotations }) => {
  it('has a name, a title and a description within their length limits', () => {
    expect(name).toMatch(/^[a-z_]{3,40}$/);
    expect(title).not.toBe('');
    expect(description.length).toBeGreaterThan(60);
    expect(description.length).toBeLessThan(500);
  });

  it('takes one flat, strict object and lists the arguments of every action', () => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(inputSchema['required']).toContain('action');
    const text = JSON.stringify(inputSchema);
    for (const keyword of ['$ref', '$defs', 'oneOf', 'allOf']) expect(text).not.toContain(`"${keyword}"`);
    const {
      action,
      cursor: _cursor,
      fields: _fields,
      dry_run: _dryRun,
      idempotency_key: _key,
      preview_token: _token,
      ...own
    } = propertiesOf(inputSchema);
    const usage = action!.description!;
    for (const each of action!.enum!) expect(usage).toContain(`${each}(`);
    const named = [...usage.matchAll(/\w+\(([^)]*)\)/g)].flatMap(([, args]) => argumentsIn(args!, Object.keys(own)));
    expect(Object.keys(own).filter((argument) => !named.includes(argument))).toEqual([]);
    expect(named.filter((argument) => !Object.hasOwn(own, argument))).toEqual([]);
  });

  it('has a schema that passes a strict validator', () => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      formats: { 'date-time': true, date: true, email: true, uri: true },
    });
    expect(() => ajv.compile(inputSchema)).not.toThrow();
  });

  it('either only reads, or only writes with a preview by default, except affiliate_promo_codes', () => {
    const { dry_run, idempotency_key, fields } = propertiesOf(inputSchema);
    const writes = !annotations.readOnlyHint;
    expect(writes).toBe(name.startsWith('manage_') || name === 'affiliate_promo_codes');
    expect([dry_run?.['default'], idempotency_key?.['type']]).toEqual(writes ? [true, 'string'] : [undefined, undefined]);
    expect(fields === undefined || !name.startsWith('manage_')).toBe(true);
  });

  it('is limited to reads for a caller without write permissions and in the read-only selection', () => {
    const reads: Assistant = { ...everything, permissions: { all: true, ...denied(/\.write$/) } };
    const tool = TOOLS.find((each) => each.name === name)!;
    const forms = [publishedTool(tool, reads), publishedTool(tool, everything, { readOnly: true, toolsets: null })];
    const found = forms.map((form) => form && [form.annotations.readOnlyHint, 'dry_run' in form.inputSchema.properties]);
    const expected = name.startsWith('manage_') ? null : [true, false];
    expect(found).toEqual([expected, expected]);
  });
});

/** Returns the arguments that the usage of an action names, or all of the tool but those that it leaves out. */
function argumentsIn(usage: string, all: readonly string[]): string[] {
  const [listed, left] = usage.split(/(?:^|, )(?:all but |all others)/);
  const names = (text = '') => text.split(', ').filter((name) => name !== '' && !name.startsWith('optional of '));
  const rest = left === undefined ? [] : all.filter((name) => !names(left).includes(name));
  return [...names(listed).map((name) => name.replace('*', '')), ...rest];
}

function denied(pattern: RegExp): Record<string, boolean> {
  const names = PERMISSION_NAMES.filter((name) => name !== 'all');
  return Object.fromEntries(names.filter((name) => pattern.test(name)).map((name) => [name, false]));
}
