import { ERRORS, EVENT_TYPES } from '@affiliate/core';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { oas31 } from 'zod-openapi';
import { OPEN_ROUTES, ROUTES } from '../routes.ts';
import { contractText } from './contract-text.ts';
import { CONTRACT_NAMES, type ContractName, routesOf } from './contracts.ts';
import { contractDocument } from './document.ts';
import { inputParts } from './parameters.ts';

const serverUrl = 'https://affiliates.example.com';

interface Named {
  name: string;
  operation: oas31.OperationObject;
}

/** A contract, with its operations. */
interface Described {
  contract: ContractName;
  document: oas31.OpenAPIObject;
  operations: Named[];
  guarded: Named[];
  open: Named[];
  webhooks: Named[];
}

function describedBy(contract: ContractName): Described {
  const document = contractDocument({ name: contract, serverUrl });
  const operations: Named[] = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const isGuarded = ({ operation }: Named) =>
    ROUTES.some(({ procedure, isOpen }) => procedure === operation.operationId && !isOpen);
  const webhooks: Named[] = Object.entries(document.webhooks ?? {}).map(([name, item]) => ({ name, operation: item.post! }));
  return {
    contract,
    document,
    operations,
    guarded: operations.filter(isGuarded),
    open: operations.filter(({ operation }) => operation.security?.length === 0),
    webhooks,
  };
}

const ALL = CONTRACT_NAMES.map(describedBy);
const [PROGRAM] = ALL as [Described];
/** The operations of all contracts, each with its contract. */
const operations = ALL.flatMap((described) => described.operations.map((named) => ({ ...named, ...described, named })));
const guarded = operations.filter(({ guarded, named }) => guarded.includes(named));

// Compiles quickly, because each schema validates only a few examples.
const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } });
formats.default(ajv);
for (const { contract, document } of ALL) ajv.addSchema(document, contract);

function validates(contract: ContractName, schema: object, value: unknown): string | null {
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${contract}#/`)) as object;
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

/** The statements of the contract about the callers of an operation, by the audience of its procedure. */
const CALLERS: Record<string, { words: RegExp; fields: object }> = {
  'by permission': {
    words: /need the permissions? `\S+`/,
    fields: { 'x-permission': expect.any(String), 'x-role': expect.any(String) },
  },
  account: { words: /need no permission/, fields: {} },
  signed_in: { words: /API keys get 403/, fields: { security: [{ session: [] }] } },
};

describe('every operation', () => {
  it.each(ALL)('appears exactly once in the contract $contract, if its path is below the roots of the contract', (described) => {
    const { contract, operations, webhooks } = described;
    const addresses = routesOf(contract).map(({ method, mount, template }) => `${method} ${mount}${template}`);
    const scripts = contract === 'v1' ? ['GET /track.js', 'POST /sources/{connection_id}/events'] : [];
    expect(operations.map(({ name }) => name).toSorted()).toEqual([...addresses, ...scripts].toSorted());
    const ids = [...operations, ...webhooks].map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('belongs to one contract', () => {
    const described = CONTRACT_NAMES.flatMap((name) => routesOf(name)).map(({ procedure }) => procedure);
    expect(described.toSorted()).toEqual(ROUTES.map(({ procedure }) => procedure).toSorted());
  });

  it.each(guarded)('$name has a description and states who may call it', ({ operation, document }) => {
    expect(operation.operationId).toMatch(/^\w+(\.\w+)+$/);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    const { audience } = ROUTES.find(({ procedure }) => procedure === operation.operationId)!.meta;
    const { words, fields } = CALLERS[audience ?? 'by permission']!;
    expect(operation.description).toMatch(words);
    expect(operation).toMatchObject(fields);
    const tag = document.tags?.find(({ name }) => name === operation.tags?.[0]);
    expect(tag?.description, `the tag ${operation.tags?.[0]} has a description`).toBeTruthy();
  });

  it.each(guarded)('$name describes its parameters, including the common ones', ({ name, operation }) => {
    const has412 = '412' in operation.responses!;
    const has304 = '304' in operation.responses!;
    const own = (operation.parameters ?? []).filter((parameter) => !('$ref' in parameter));
    for (const parameter of own) {
      expect(parameter).toMatchObject({ description: expect.stringMatching(/./), example: expect.anything() });
    }
    expect((operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [parameter.$ref] : []))).toEqual([
      '#/components/parameters/AccountIdHeader',
      '#/components/parameters/LivemodeHeader',
      '#/components/parameters/AccountIdQuery',
      ...(name.startsWith('GET') ? [] : ['#/components/parameters/IdempotencyKey']),
      ...(has412 ? ['#/components/parameters/IfMatch'] : []),
      ...(has304 ? ['#/components/parameters/IfNoneMatch'] : []),
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
      expect(content?.['application/json'] ?? content?.['text/csv']).toMatchObject({ example: expect.anything() });
    }
  });

  it.each(guarded.filter(({ named }) => !named.operation.security))('$name has code samples', ({ operation }) => {
    const samples = (operation as Record<string, unknown>)['x-codeSamples'] as { label: string; source: string }[] | undefined;
    const [first] = samples!;
    expect(first!.source).toMatch(/^curl -sS (-X [A-Z]+ )?"\$BASE\/(api|track)\//);
    const body = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content['application/json']?.example as unknown;
    const sent = /-d '([\s\S]*)'$/.exec(first!.source)?.[1]?.replaceAll(String.raw`'\''`, "'");
    expect(sent === undefined ? undefined : JSON.parse(sent)).toEqual(body);
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

  it('has only patterns that every language can read', () => {
    const patterns = [
      ...new Set(
        JSON.stringify(ALL.map(({ document }) => document))
          .matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)
          .map(([, text]) => JSON.parse(text!) as string),
      ),
    ];
    expect(patterns.length).toBeGreaterThan(3);
    for (const pattern of patterns) expect(pattern).toMatch(/^\^(?:[\w:.#-]|\\[S.]|[()*+?]|\[[\w-]+\]|\{\d+(?:,\d*)?\})+\$?$/);
  });

  it('refers to named schemas in its bodies', () => {
    const webhooks = ALL.flatMap((described) => described.webhooks);
    const bodies = [...operations, ...webhooks].flatMap(({ operation }) => [
      (operation.requestBody as oas31.RequestBodyObject | undefined)?.content,
      ...Object.values(operation.responses ?? {}).map((response) => (response as oas31.ResponseObject).content),
    ]);
    const schemas = bodies.flatMap((content) => content?.['application/json']?.schema ?? []);
    expect(schemas.length).toBeGreaterThan(0);
    for (const schema of schemas) expect(Object.keys(schema ?? {})).toEqual(['$ref']);
  });
});

it('marks the legacy coupon and the aliases of fields as deprecated', () => {
  const deprecated = operations.filter(({ named }) => named.operation.deprecated).map(({ named }) => named.name);
  expect(deprecated.toSorted()).toEqual([
    'DELETE /api/v1/affiliates/{affiliate_id}/coupon',
    'GET /api/v1/affiliates/{affiliate_id}/coupon',
    'PATCH /api/v1/affiliates/{affiliate_id}/coupon',
    'POST /api/v1/affiliates/{affiliate_id}/coupon',
    'POST /api/v1/affiliates/{affiliate_id}/coupon/sync',
  ]);
  const { InvitationsCreateRequest, InvitationsUpdateRequest } = PROGRAM.document.components!.schemas as Record<
    string,
    oas31.SchemaObject
  >;
  expect(InvitationsCreateRequest!.properties!['campaignId']).toMatchObject({ deprecated: true });
  for (const name of ['status_action', 'status'])
    expect(InvitationsUpdateRequest!.properties![name]).toMatchObject({ deprecated: true });
  const referrals = PROGRAM.operations.find(({ name }) => name === 'GET /api/v1/referrals')!.operation;
  expect(referrals.parameters).toContainEqual(expect.objectContaining({ name: 'conversionState', deprecated: true }));
});

it('requires no credentials for operations that browsers call', () => {
  expect(ALL.flatMap(({ open }) => open.map(({ name }) => name))).toEqual([
    'GET /t/{token}',
    'GET /t/{program}/{token}',
    'GET /track.js',
    'POST /track/visits',
    'POST /track/leads',
  ]);
  expect(OPEN_ROUTES.map(({ procedure }) => procedure)).toEqual([
    'tracking.followLink',
    'tracking.followProgramLink',
    'tracking.recordVisit',
    'tracking.recordLead',
  ]);
  for (const { operation } of PROGRAM.open) expect(operation.security).toEqual([]);
});

describe('examples', () => {
  const all = ALL.flatMap(({ contract, document }) =>
    [...examplesIn(document, '#')].map((example) => ({ contract, ...example })),
  );

  it('are numerous', () => {
    expect(all.length).toBeGreaterThan(operations.length);
  });

  it('fit their schemas', () => {
    const wrong = all.flatMap(({ contract, place, schema, example }) => {
      const problem = validates(contract, schema, example);
      return problem ? [{ place, problem, example }] : [];
    });
    expect(wrong).toEqual([]);
  });

  /** Yields the objects inside a value. */
  function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) yield value as Record<string, unknown>;
    for (const child of Object.values(value)) yield* objectsIn(child);
  }
  const bodies = [...operations.map(({ named }) => named), ...PROGRAM.webhooks].flatMap(({ name, operation }) =>
    [operation.requestBody, ...Object.values(operation.responses ?? {})].flatMap((part) => {
      const media = (part as oas31.ResponseObject | undefined)?.content?.['application/json'];
      return media?.example === undefined ? [] : [{ name, example: media.example as unknown }];
    }),
  );
  const objects = bodies.flatMap(({ name, example }) => [...objectsIn(example)].map((object) => ({ name, object })));

  it('contain no placeholders', () => {
    const placeholders = bodies.filter(({ example }) => /"example[.]*"/.test(JSON.stringify(example)));
    expect(placeholders.map(({ name }) => name)).toEqual([]);
    const parameters = operations.flatMap(({ named }) => (named.operation.parameters ?? []) as oas31.ParameterObject[]);
    expect(parameters.filter(({ example }) => /^example[.]*$/.test(String(example)))).toEqual([]);
  });

  it('tell a consistent story', () => {
    const contradictions = objects.filter(({ object }) => {
      if (object['eligible'] === true) return object['state'] !== 'due' || (object['ineligible_reasons'] as unknown[]).length > 0;
      if ('charge_amount_cents' in object && object['refund_amount_cents'] === 0)
        return object['sale_amount_cents'] !== Number(object['charge_amount_cents']) - Number(object['tax_amount_cents']);
      if ('total_count' in object) return object['count'] !== 1 || object['limit'] !== 25;
      if (object['reward_type'] === 'percent' && 'slug' in object) return object['commission_amount_cents'] !== null;
      if ('paid_at' in object && 'state' in object && 'id' in object)
        return (object['paid_at'] !== null) !== ['paid', 'returned'].includes(String(object['state']));
      if ('review_reason' in object) return object['review_status'] === null && object['review_reason'] !== null;
      return false;
    });
    expect(contradictions).toEqual([]);
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
      const context = route.meta.rest?.accountFromContext ? { account_id: 'acct_1' } : {};
      expect(() => route.input.parse({ ...Object.fromEntries(parameters), ...(body as object), ...context })).not.toThrow();
    },
  );
});

/** Returns the codes of the envelopes that an error response may have. */
function codesOf(document: oas31.OpenAPIObject, schema: oas31.SchemaObject): unknown[] {
  const envelopes = (schema.oneOf ?? [schema]) as oas31.ReferenceObject[];
  return envelopes.map(({ $ref }) => (componentOf(document, $ref).properties!['code'] as oas31.SchemaObject).const);
}

function componentOf({ components }: oas31.OpenAPIObject, ref: string): oas31.SchemaObject {
  return components!.schemas![ref.split('/').at(-1)!] as oas31.SchemaObject;
}

describe('schemas', () => {
  const named = ALL.flatMap(({ contract, document }) =>
    Object.entries(document.components!.schemas as Record<string, oas31.SchemaObject>).map(([name, schema]) => ({
      contract,
      document,
      name,
      schema,
    })),
  );

  /** Yields the schemas inside a schema, with the schema itself. */
  function* within(schema: unknown, place: string): Generator<{ place: string; schema: oas31.SchemaObject }> {
    if (typeof schema !== 'object' || schema === null) return;
    if (!Array.isArray(schema)) yield { place, schema: schema as oas31.SchemaObject };
    for (const [key, child] of Object.entries(schema)) if (key !== 'examples') yield* within(child, `${place}/${key}`);
  }
  const every = named.flatMap(({ name, schema, document }) =>
    [...within(schema, name)].map((each) => ({ ...each, document, name, isWhole: each.place === name })),
  );

  it('describe every property', () => {
    const undescribed = every.flatMap(({ place, schema: { properties = {} }, document }) =>
      Object.entries(properties).flatMap(([name, property]) => {
        const target: { description?: string } = property.$ref === undefined ? property : componentOf(document, property.$ref);
        return (property.description ?? target.description) ? [] : [`${place}.${name}`];
      }),
    );
    // Describe a field where it is declared, or in field-texts.ts.
    expect(undescribed).toEqual([]);
  });

  it('have descriptions that name the thing instead of asking a question', () => {
    const questions = every.filter(({ schema }) => /^(What|Whether|Who|Why|How|When) /.test(schema.description ?? ''));
    expect(questions.map(({ place, schema }) => `${place}: ${schema.description}`)).toEqual([]);
  });

  it('have names for all enumerations', () => {
    const unnamed = every.filter(
      ({ schema, isWhole, place }) => schema.enum && schema.const === undefined && !isWhole && !place.endsWith('/propertyNames'),
    );
    // Name an enumeration in named-values.ts.
    expect(unnamed.map(({ place }) => place)).toEqual([]);
    const enumerations = every.filter(({ schema, isWhole }) => schema.enum && isWhole);
    expect(enumerations.length).toBeGreaterThan(40);
    for (const { schema } of enumerations) expect(schema.description).toContain('More values may be added.');
  });

  it('repeat constant texts as enumerations, for generators that do not know constants', () => {
    const constants = every.filter(({ schema }) => typeof schema.const === 'string');
    expect(constants.length).toBeGreaterThan(20);
    for (const { schema } of constants) expect(schema.enum).toEqual([schema.const]);
  });

  it('of requests are closed, and all others are open', () => {
    const requests = new Set(
      operations.flatMap(({ named: { operation } }) => {
        const { content } = (operation.requestBody ?? {}) as oas31.RequestBodyObject;
        return content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? [];
      }),
    );
    // The parts of a fact have names, because a fact has many of them.
    const parts = every.filter(({ name }) => /^Fact(?!sReceipt)|^(Payment|Customer|Code)(Fact|Seen)/.test(name));
    for (const { name } of parts) requests.add(name);
    const isMap = (schema: oas31.SchemaObject) => schema.type === 'object' && schema.properties === undefined;
    for (const { name, schema, place } of every) {
      if (schema.type !== 'object' || isMap(schema)) continue;
      expect({ place, closed: schema.additionalProperties === false }).toEqual({ place, closed: requests.has(name) });
    }
  });

  it('have no defaults, because generators would take fields with a default for required ones', () => {
    expect(
      every.filter(({ schema, place }) => 'default' in schema && !place.endsWith('/properties')).map(({ place }) => place),
    ).toEqual([]);
  });

  it('distinguish events by their type', () => {
    const { oneOf, discriminator } = PROGRAM.document.components!.schemas!['Event'] as oas31.SchemaObject;
    expect(discriminator!.propertyName).toBe('type');
    expect(Object.keys(discriminator!.mapping!)).toEqual([...EVENT_TYPES]);
    expect(Object.values(discriminator!.mapping!)).toEqual(oneOf!.map(({ $ref }) => $ref));
    const bodies = PROGRAM.webhooks.map(
      ({ operation }) => (operation.requestBody as oas31.RequestBodyObject).content['application/json']!.schema!.$ref,
    );
    expect(bodies).toEqual(oneOf!.map(({ $ref }) => $ref));
  });
});

describe('errors', () => {
  it('include every error code of the service', () => {
    const envelope = PROGRAM.document.components?.schemas?.['ErrorEnvelope'] as oas31.SchemaObject;
    expect(codesOf(PROGRAM.document, envelope)).toEqual(Object.keys(ERRORS));
    expect(Object.keys(envelope.discriminator!.mapping!)).toEqual(Object.keys(ERRORS));
  });

  it('list each error code under its own status only', () => {
    const responses = ALL.flatMap(({ document }) =>
      Object.values(document.components?.responses ?? {}).map((response) => ({ document, response })),
    );
    for (const { document, response } of responses) {
      const { examples = {}, schema } = (response as oas31.ResponseObject).content!['application/json']!;
      expect(codesOf(document, schema as oas31.SchemaObject)).toEqual(Object.keys(examples));
      const statuses = Object.keys(examples).map((code) => ERRORS[code as keyof typeof ERRORS].status);
      expect(new Set(statuses).size).toBe(1);
    }
  });
});

it('describes the webhook of every event type', () => {
  expect(PROGRAM.webhooks.map(({ name }) => name)).toEqual([...EVENT_TYPES]);
  for (const { operation } of PROGRAM.webhooks) {
    const headers = (operation.parameters as oas31.ParameterObject[]).map(({ name }) => name);
    expect(headers).toEqual([
      'hook-id',
      'hook-timestamp',
      'hook-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  }
});

describe.each(ALL)('the text of the contract $contract', ({ contract, document }) => {
  const text = contractText(contract, serverUrl);

  it('is the same on every generation', () => {
    expect(contractText(contract, serverUrl)).toEqual(text);
  });

  it('says the same in YAML, without anchors, as in JSON', () => {
    expect(text.yaml).not.toMatch(/^\s*(- )?([\w$"'/{}.-]+: )?[&*]\w+/m);
    expect(parse(text.yaml, { maxAliasCount: 0 })).toEqual(JSON.parse(text.json));
    expect(JSON.parse(text.json)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
