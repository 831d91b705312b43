import { ERRORS, EVENT_TYPES } from '@affiliate/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { oas31 } from 'zod-openapi';
import { GUARDED_ROUTES, OPEN_ROUTES, ROUTES } from '../routes.ts';
import { contractText } from './contract-text.ts';
import { contractDocument } from './document.ts';
import { inputParts } from './parameters.ts';

const serverUrl = 'https://affiliates.example.com';
const document = contractDocument({ serverUrl });

interface Named {
  name: string;
  operation: oas31.OperationObject;
}
const operations: Named[] = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);
const guarded = operations.filter(({ operation }) => GUARDED_ROUTES.some(({ procedure }) => procedure === operation.operationId));
const open = operations.filter((operation) => !guarded.includes(operation));
const webhooks: Named[] = Object.entries(document.webhooks ?? {}).map(([name, item]) => ({
  name,
  operation: item.post!,
}));

const ajv = new Ajv2020({ strict: false, validateSchema: false });
formats.default(ajv);
ajv.addSchema(document, 'contract');

function validates(schema: object, value: unknown): string | null {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as object;
  return ajv.validate(rooted, value) ? null : ajv.errorsText();
}

/** Yields every example with its schema: those inside schemas and those beside a schema. */
function* examplesIn(value: unknown, place: string): Generator<{ place: string; schema: object; example: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  const object = value as Record<string, unknown>;
  if (Array.isArray(object['examples'])) {
    const { examples, ...schema } = object;
    for (const example of examples as unknown[]) yield { place, schema, example };
  }
  if (typeof object['schema'] === 'object') {
    const schema = object['schema'] as object;
    if (object['example'] !== undefined) yield { place, schema, example: object['example'] };
    for (const { value: example } of Object.values((object['examples'] ?? {}) as Record<string, { value: unknown }>)) {
      yield { place, schema, example };
    }
  }
  for (const [key, child] of Object.entries(object)) {
    if (key !== 'example' && key !== 'examples') yield* examplesIn(child, `${place}/${key}`);
  }
}

function accepts({ type, anyOf = [] }: oas31.SchemaObject, wanted: string): boolean {
  return [type].flat().includes(wanted as 'array') || anyOf.some((each) => accepts(each as oas31.SchemaObject, wanted));
}

describe('every operation', () => {
  it('appears exactly once', () => {
    const addresses = ROUTES.map(({ method, mount, template }) => `${method} ${mount}${template}`);
    expect(operations.map(({ name }) => name).toSorted()).toEqual([...addresses, 'GET /track.js'].toSorted());
    const ids = [...operations, ...webhooks].map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(guarded)('$name has a description and states who may call it', ({ operation }) => {
    expect(operation.operationId).toMatch(/^\w+(\.\w+)+$/);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description).toMatch(/need the permissions? `\S+`/);
    expect(operation).toMatchObject({ 'x-permission': expect.any(String), 'x-role': expect.any(String) });
    const tag = document.tags?.find(({ name }) => name === operation.tags?.[0]);
    expect(tag?.description, `the tag ${operation.tags?.[0]} has a description`).toBeTruthy();
  });

  it.each(guarded)('$name describes its parameters, including the common ones', ({ name, operation }) => {
    const own = (operation.parameters ?? []).filter((parameter) => !('$ref' in parameter));
    for (const parameter of own) {
      expect(parameter).toMatchObject({ description: expect.stringMatching(/./), example: expect.anything() });
    }
    expect((operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [parameter.$ref] : []))).toEqual([
      '#/components/parameters/AccountIdHeader',
      '#/components/parameters/AccountIdQuery',
      ...(name.startsWith('POST') ? ['#/components/parameters/IdempotencyKey'] : []),
    ]);
  });

  it.each(operations)('$name has parameters with names that code generators can distinguish', ({ operation }) => {
    const inline = (operation.parameters ?? []).flatMap((parameter) => {
      const { items } = ('schema' in parameter ? parameter.schema : {}) as oas31.SchemaObject;
      return items && 'enum' in items ? [(parameter as oas31.ParameterObject).name] : [];
    });
    const camelized = inline.map((name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    expect([...new Set(camelized)]).toEqual(camelized);
  });

  it.each(operations)('$name describes the accepted forms of every array in its query', ({ operation }) => {
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue;
      const { in: place, name, schema, style, explode, description } = parameter;
      if (place !== 'query' || !accepts(schema as oas31.SchemaObject, 'array')) continue;
      expect({ name, style, explode }).toEqual({ name, style: 'form', explode: true });
      expect(description).toContain(`\`${name}[]=a&${name}[]=b\``);
      expect(description).toContain(`\`${name}=a,b\``);
    }
  });

  it.each(guarded)('$name lists the errors it can answer', ({ name, operation }) => {
    const errors = Object.keys(operation.responses ?? {}).filter((status) => status >= '400');
    expect(errors).toEqual(
      expect.arrayContaining([
        '400',
        '401',
        '403',
        '422',
        '429',
        '500',
        '503',
        ...(name.includes('{') ? ['404'] : []),
        ...(name.startsWith('GET') ? [] : ['409', '413', '415']),
      ]),
    );
  });

  it.each(guarded)('$name shows its headers and an example when it succeeds', ({ operation }) => {
    const successes = Object.entries(operation.responses ?? {}).filter(([status]) => status < '300') as [
      string,
      oas31.ResponseObject,
    ][];
    expect(successes.length).toBeGreaterThan(0);
    for (const [, { headers = {} }] of successes) {
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']));
    }
    for (const [, { content }] of successes.filter(([status]) => status !== '204')) {
      expect(content?.['application/json']).toMatchObject({ example: expect.anything() });
    }
  });

  it('accepts arrays repeated or separated by commas', () => {
    const arrays = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(
        (parameter) => 'schema' in parameter && (parameter.schema as oas31.SchemaObject).type === 'array',
      ),
    );
    for (const parameter of arrays) {
      expect(parameter).toMatchObject({ style: 'form', explode: true, description: expect.stringContaining('[]=') });
    }
  });

  it('refers to named schemas in its bodies', () => {
    const bodies = [...operations, ...webhooks].flatMap(({ operation }) => [
      (operation.requestBody as oas31.RequestBodyObject | undefined)?.content,
      ...Object.values(operation.responses ?? {}).map((response) => (response as oas31.ResponseObject).content),
    ]);
    const schemas = bodies.flatMap((content) => content?.['application/json']?.schema ?? []);
    expect(schemas.length).toBeGreaterThan(0);
    for (const schema of schemas) expect(Object.keys(schema ?? {})).toEqual(['$ref']);
  });
});

it('requires no credentials for operations that browsers call', () => {
  expect(open.map(({ name }) => name)).toEqual(['GET /t/{token}', 'GET /track.js', 'POST /track/visits', 'POST /track/leads']);
  expect(OPEN_ROUTES.map(({ procedure }) => procedure)).toEqual([
    'tracking.followLink',
    'tracking.recordVisit',
    'tracking.recordLead',
  ]);
  for (const { operation } of open) expect(operation.security).toEqual([]);
});

describe('examples', () => {
  const all = [...examplesIn(document, '#')];

  it('are numerous', () => {
    expect(all.length).toBeGreaterThan(operations.length);
  });

  it('fit their schemas', () => {
    const wrong = all.flatMap(({ place, schema, example }) => {
      const problem = validates(schema, example);
      return problem ? [{ place, problem, example }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it.each(ROUTES.map((route) => [route.procedure, route] as const))(
    'of the request of %s are accepted by its schema',
    (_name, route) => {
      const { operation } = operations.find(({ operation }) => operation.operationId === route.procedure)!;
      const body = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content['application/json']?.example ?? {};
      const required = Object.keys(inputParts(route).path.shape);
      const parameters = (operation.parameters ?? []).flatMap((parameter) =>
        'name' in parameter && (parameter.in === 'path' || !required.includes(parameter.name)) && parameter.in !== 'header'
          ? [[parameter.name, parameter.example]]
          : [],
      );
      expect(() => route.input.parse({ ...Object.fromEntries(parameters), ...(body as object) })).not.toThrow();
    },
  );
});

describe('errors', () => {
  it('include every error code of the service', () => {
    expect(document.components?.schemas?.['ErrorEnvelope']).toMatchObject({
      properties: { code: { enum: Object.keys(ERRORS) } },
    });
  });

  it('list each error code under its own status only', () => {
    for (const response of Object.values(document.components?.responses ?? {}) as oas31.ResponseObject[]) {
      const { examples = {} } = response.content!['application/json']!;
      const statuses = Object.keys(examples).map((code) => ERRORS[code as keyof typeof ERRORS].status);
      expect(new Set(statuses).size).toBe(1);
    }
  });
});

it('describes the webhook of every event type', () => {
  expect(webhooks.map(({ name }) => name)).toEqual([...EVENT_TYPES]);
  for (const { operation } of webhooks) {
    const headers = (operation.parameters as oas31.ParameterObject[]).map(({ name }) => name);
    expect(headers).toEqual(['hook-id', 'hook-timestamp', 'hook-signature']);
  }
});

describe('the text', () => {
  const text = contractText(serverUrl);

  it('is the same on every generation', () => {
    expect(contractText(serverUrl)).toEqual(text);
  });

  it('says the same in YAML, without anchors, as in JSON', () => {
    expect(text.yaml).not.toMatch(/^\s*(- )?([\w$"'/{}.-]+: )?[&*]\w+/m);
    expect(parse(text.yaml, { maxAliasCount: 0 })).toEqual(JSON.parse(text.json));
    expect(JSON.parse(text.json)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
