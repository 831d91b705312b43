/** The part of a JSON Schema that says what type a value has. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  description?: string;
}

/** Writes types for schemas. `objectText` decides how an object is written, and `typeOf` how the schemas in it are. */
export interface TypeWriter {
  nameOf(ref: string): string;
  /** True to write long enumerations of dotted names as combinations, which is shorter and harder to read. */
  combinesNames?: boolean;
  typeOf(schema: Schema, property: string): string;
  objectText(fields: Field[]): string;
}

export interface Field {
  name: string;
  type: string;
  isOptional: boolean;
  description?: string | undefined;
}

/** Returns the TypeScript type of the values that a schema accepts. `property` is the name of the property that has the schema. */
export function typeText(schema: Schema, property: string, writer: TypeWriter): string {
  const partOf = (part: Schema) => writer.typeOf(part, property);
  if (schema.$ref !== undefined) return writer.nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return writer.combinesNames ? enumText(schema.enum) : union(schema.enum.map(literal));
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return union(options.map(partOf));
  if (schema.allOf) return schema.allOf.map(partOf).join(' & ');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(types.map((type) => ofOneType(type, schema, property, writer)));
}

function ofOneType(type: string | undefined, schema: Schema, property: string, writer: TypeWriter): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema.items ? writer.typeOf(schema.items, singular(property)) : 'unknown');
    case 'object':
      if (isEmpty(schema)) return 'Record<string, never>';
      return schema.properties ? writer.objectText(fieldsOf(schema, writer)) : recordOf(schema, property, writer);
    default:
      return 'unknown';
  }
}

function fieldsOf({ properties = {}, required = [] }: Schema, writer: TypeWriter): Field[] {
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: writer.typeOf(property, name),
    isOptional: !required.includes(name),
    description: property.description,
  }));
}

function isEmpty({ properties, additionalProperties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length === 0 && additionalProperties === false;
}

function recordOf({ additionalProperties, propertyNames }: Schema, property: string, writer: TypeWriter): string {
  const values =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? writer.typeOf(additionalProperties, property)
      : 'unknown';
  if (propertyNames?.enum) return `Partial<Record<${writer.typeOf(propertyNames, `${property}_name`)}, ${values}>>`;
  return `Record<string, ${values}>`;
}

function arrayOf(item: string): string {
  return /^[\w.]+$|^\{[^{}]*\}$/.test(item) ? `${item}[]` : `(${item})[]`;
}

/** Returns a union without repetitions, with null at the end. */
function union(types: string[]): string {
  const each = new Set(types.flatMap((type) => (type.includes('{') || type.includes('(') ? [type] : type.split(' | '))));
  return [...[...each].filter((type) => type !== 'null'), ...(each.has('null') ? ['null'] : [])].join(' | ');
}

/** Enumerations with at least as many dotted names are written as combinations. */
const MIN_COMBINED = 12;

/**
 * Returns the union of values, e.g. `${'v1'|'mcp'}.${'links'|'sales'}.${'read'|'write'}` for many names of the same form, and `Sorted<'email'>` for the
 * orders of a list.
 */
function enumText(values: unknown[]): string {
  const fields = values.filter((value) => typeof value === 'string' && !value.startsWith('-'));
  if (values.length === 2 * fields.length && fields.every((field) => values.includes(`-${field as string}`)))
    return `Sorted<${union(fields.map(literal))}>`;
  const names = values.filter((value): value is string => typeof value === 'string' && /^[\w.]+\.\w+$/.test(value));
  if (names.length < MIN_COMBINED) return union(values.map(literal));
  const endings = Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('.')));
  const groups = Map.groupBy(endings, ([prefix, all]) => all.map((name) => name.slice(prefix.length + 1)).join());
  const combined = [...groups].flatMap(([suffixes, prefixes]) =>
    prefixesText(prefixes.map(([prefix]) => prefix)).map((prefix) => `\`${prefix}.${choiceOf(suffixes.split(','))}\``),
  );
  return [...combined, ...values.filter((value) => !names.includes(value as string)).map(literal)].join(' | ');
}

/** Returns the texts that together stand for all prefixes. Prefixes with a dot are combined by the part before it. */
function prefixesText(prefixes: string[]): string[] {
  const dotted = prefixes.filter((prefix) => prefix.includes('.'));
  const plain = prefixes.filter((prefix) => !prefix.includes('.'));
  const heads = Map.groupBy(dotted, (prefix) => prefix.slice(prefix.indexOf('.') + 1));
  const groups = Map.groupBy(heads, ([, all]) => all.map((prefix) => prefix.slice(0, prefix.indexOf('.'))).join());
  const combined = [...groups].map(([head, tails]) => `${choiceOf(head.split(','))}.${choiceOf(tails.map(([tail]) => tail))}`);
  return [...(plain.length > 0 ? [choiceOf(plain)] : []), ...combined];
}

function choiceOf(options: string[]): string {
  return options.length === 1 ? options[0]! : `\${${options.map(literal).join(' | ')}}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

/** Returns the name of a property as it is written in an object type. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}
