import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from '@affiliate/rest/contract';
import type { Part } from './frozen-part.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** A value with the document in which its references are resolved. */
interface Placed<Of> {
  value: Of;
  in: Part;
}

/** In requests, everything that was accepted must be accepted. In responses, everything that was promised must be sent. */
type Direction = 'request' | 'response';

/**
 * Returns the changes from `former` to `current` that could break a client: anything but an added operation, optional parameter or field, header, error
 * status, or value of an enumeration.
 */
export function breaches(former: Part, current: Part): string[] {
  return Object.entries(former.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = (current.paths?.[path] as Record<string, oas31.OperationObject> | undefined)?.[method];
      if (!now) return [`${name} is gone`];
      return ofOperation(name, { value: operation, in: former }, { value: now, in: current });
    }),
  );
}

function ofOperation(name: string, a: Placed<oas31.OperationObject>, b: Placed<oas31.OperationObject>): string[] {
  return [
    ...same(`${name} operationId`, a.value.operationId, b.value.operationId),
    ...same(`${name} security`, a.value.security, b.value.security),
    ...ofParameters(name, a, b),
    ...ofBody(name, a, b),
    ...ofResponses(name, a, b),
  ];
}

function ofParameters(name: string, a: Placed<oas31.OperationObject>, b: Placed<oas31.OperationObject>): string[] {
  const former = parametersOf(a);
  const current = parametersOf(b);
  return [
    ...[...former].flatMap(([key, { required = false, style, explode, schema }]) => {
      const now = current.get(key);
      const at = `${name} ${key}`;
      if (!now) return [`${at} is gone`];
      return [
        ...(now.required && !required ? [`${at} is now required`] : []),
        ...same(`${at} style`, [style, explode], [now.style, now.explode]),
        ...ofSchema(at, 'request', { value: schema!, in: a.in }, { value: now.schema!, in: b.in }),
      ];
    }),
    ...[...current].flatMap(([key, { required }]) =>
      required && !former.has(key) ? [`${name} ${key} is new and required`] : [],
    ),
  ];
}

function parametersOf({ value, in: part }: Placed<oas31.OperationObject>): Map<string, oas31.ParameterObject> {
  const parameters = (value.parameters ?? []).map((each) => resolve<oas31.ParameterObject>(part, each));
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

function ofBody(name: string, a: Placed<oas31.OperationObject>, b: Placed<oas31.OperationObject>): string[] {
  const at = `${name} body`;
  const former = a.value.requestBody as oas31.RequestBodyObject | undefined;
  const current = b.value.requestBody as oas31.RequestBodyObject | undefined;
  const isNowRequired = current?.required === true && former?.required !== true;
  return [
    ...(isNowRequired ? [`${at} is now required`] : []),
    ...ofContent(at, 'request', { value: former?.content, in: a.in }, { value: current?.content, in: b.in }),
  ];
}

function ofResponses(name: string, a: Placed<oas31.OperationObject>, b: Placed<oas31.OperationObject>): string[] {
  const former = Object.entries(a.value.responses ?? {});
  const current = new Map(Object.entries(b.value.responses ?? {}));
  const added = [...current.keys()].filter((status) => status.startsWith('2') && !former.some(([each]) => each === status));
  return [
    ...added.map((status) => `${name} may now succeed with ${status}`),
    ...former.flatMap(([status, response]) => {
      const at = `${name} ${status}`;
      if (!current.has(status)) return [`${at} is gone`];
      const was = resolve<oas31.ResponseObject>(a.in, response);
      const is = resolve<oas31.ResponseObject>(b.in, current.get(status) ?? {});
      return [
        ...ofHeaders(at, { value: was, in: a.in }, { value: is, in: b.in }),
        ...ofContent(at, 'response', { value: was.content, in: a.in }, { value: is.content, in: b.in }),
      ];
    }),
  ];
}

function ofHeaders(at: string, a: Placed<oas31.ResponseObject>, b: Placed<oas31.ResponseObject>): string[] {
  return Object.entries(a.value.headers ?? {}).flatMap(([name, header]) => {
    const now = b.value.headers?.[name];
    if (!now) return [`${at} header ${name} is gone`];
    const isOptional = resolve<oas31.HeaderObject>(a.in, header).required && !resolve<oas31.HeaderObject>(b.in, now).required;
    return isOptional ? [`${at} header ${name} is now optional`] : [];
  });
}

function ofContent(
  at: string,
  direction: Direction,
  a: Placed<oas31.ContentObject | undefined>,
  b: Placed<oas31.ContentObject | undefined>,
): string[] {
  return Object.entries(a.value ?? {}).flatMap(([type, { schema }]) => {
    const now = b.value?.[type]?.schema;
    if (!now) return [`${at} ${type} is gone`];
    return ofSchema(at, direction, { value: schema!, in: a.in }, { value: now, in: b.in });
  });
}

function ofSchema(at: string, direction: Direction, a: Placed<Schema>, b: Placed<Schema>, seen = new Set<string>()): string[] {
  // A schema may refer to itself.
  if (a.value.$ref !== undefined && b.value.$ref !== undefined) {
    const pair = `${a.value.$ref} ${b.value.$ref}`;
    if (seen.has(pair)) return [];
    seen = new Set(seen).add(pair);
  }
  const former = resolve<oas31.SchemaObject>(a.in, a.value);
  const current = resolve<oas31.SchemaObject>(b.in, b.value);
  const within = (place: string, was: Schema, is: Schema) =>
    ofSchema(`${at}${place}`, direction, { value: was, in: a.in }, { value: is, in: b.in }, seen);
  const options = optionsOf(former);
  if (options) {
    const now = optionsOf(current) ?? [current];
    return [
      ...ofTypes(at, direction, typesOf(a), typesOf(b)),
      ...options.flatMap((option, index) =>
        now.some((each) => within('', option, each).length === 0) ? [] : [`${at} option ${index + 1} is gone or has changed`],
      ),
    ];
  }
  const now = optionsOf(current);
  if (now) {
    const isKept = now.some((each) => within('', former, each).length === 0);
    return [
      ...ofTypes(at, direction, typesOf(a), typesOf(b)),
      ...(isKept ? [] : [`${at} is now a choice without its former form`]),
    ];
  }
  return [
    ...ofTypes(at, direction, typesOf(a), typesOf(b)),
    ...ofValues(at, direction, former, current),
    ...ofProperties(at, direction, former, current, within),
    ...(former.items && current.items ? within('[]', former.items, current.items) : []),
    ...(isSchema(former.additionalProperties) && isSchema(current.additionalProperties)
      ? within('{}', former.additionalProperties, current.additionalProperties)
      : []),
    ...(direction === 'request' ? ofBounds(at, former, current) : same(`${at} format`, former.format, current.format)),
  ];
}

function ofTypes(at: string, direction: Direction, former: Set<string> | null, current: Set<string> | null): string[] {
  const [wider, narrower] = direction === 'request' ? [current, former] : [former, current];
  if (wider === null) return [];
  if (narrower === null) return [`${at} may now have any type`];
  const fits = (type: string) => wider.has(type) || (type === 'integer' && wider.has('number'));
  return [...narrower].filter((type) => !fits(type)).map((type) => `${at} type ${type}`);
}

/** The types that a schema accepts, or null if it accepts all. */
function typesOf({ value, in: part }: Placed<Schema>): Set<string> | null {
  const schema = resolve<oas31.SchemaObject>(part, value);
  const options = optionsOf(schema);
  if (options) {
    const each = options.map((option) => typesOf({ value: option, in: part }));
    return each.includes(null) ? null : new Set(each.flatMap((types) => [...types!]));
  }
  if (schema.type !== undefined) return new Set([schema.type].flat());
  return schema.const === undefined ? null : new Set([typeof schema.const]);
}

/** In both directions, an enumeration may grow. */
function ofValues(at: string, direction: Direction, former: oas31.SchemaObject, current: oas31.SchemaObject): string[] {
  const was = valuesOf(former);
  const is = valuesOf(current);
  if (!is) return was && direction === 'response' ? [`${at} no longer names its values`] : [];
  if (!was) return direction === 'request' ? [`${at} now accepts only some values`] : [];
  const gone = was.filter((value) => value !== null && !is.includes(value));
  return gone.map((value) => `${at} value ${JSON.stringify(value)} is gone`);
}

function valuesOf(schema: oas31.SchemaObject): unknown[] | null {
  return schema.const === undefined ? (schema.enum ?? null) : [schema.const];
}

function ofProperties(
  at: string,
  direction: Direction,
  former: oas31.SchemaObject,
  current: oas31.SchemaObject,
  within: (place: string, was: Schema, is: Schema) => string[],
): string[] {
  const [must, may] = direction === 'request' ? [current, former] : [former, current];
  const word = direction === 'request' ? 'is now required' : 'is now optional';
  const required = (must.required ?? []).filter((name) => !may.required?.includes(name));
  return [
    ...required.map((name) => `${at}.${name} ${word}`),
    ...Object.entries(former.properties ?? {}).flatMap(([name, property]) => {
      const now = current.properties?.[name];
      return now ? within(`.${name}`, property, now) : [`${at}.${name} is gone`];
    }),
  ];
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/** Bounds of requests may only become wider. */
function ofBounds(at: string, former: oas31.SchemaObject, current: oas31.SchemaObject): string[] {
  return [
    ...LEAST.filter((name) => (current[name] ?? -Infinity) > (former[name] ?? -Infinity)),
    ...MOST.filter((name) => (current[name] ?? Infinity) < (former[name] ?? Infinity)),
    ...(['pattern', 'format'] as const).filter((name) => current[name] !== undefined && current[name] !== former[name]),
  ].map((name) => `${at} ${name} is narrower`);
}

/** Returns the alternatives of a schema. A schema with several types has one for each type. */
function optionsOf(schema: oas31.SchemaObject): Schema[] | undefined {
  const options = schema.anyOf ?? schema.oneOf;
  if (options || !Array.isArray(schema.type)) return options;
  const { type, enum: values, ...others } = schema;
  return type.map((each) => ({
    ...others,
    type: each,
    ...(values && each !== 'null' && { enum: values.filter((value) => value !== null) }),
  }));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function same(at: string, former: unknown, current: unknown): string[] {
  return isDeepStrictEqual(former, current) ? [] : [`${at} has changed`];
}

function resolve<Of extends object>(part: Part, value: Of | oas31.ReferenceObject): Of {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Of;
  const target = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], part);
  return resolve<Of>(part, target as Of);
}
