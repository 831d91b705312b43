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

/** Returns the name of the type of a schema that another schema refers to by this name. */
export type NameOf = (name: string) => string;

/** Returns the TypeScript type of the values that a schema accepts, with the descriptions of fields as comments. */
export function typeText(schema: Schema, nameOf: NameOf = (name) => name): string {
  const partOf = (part: Schema) => typeText(part, nameOf);
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1)!);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return union(options.map(partOf));
  if (schema.allOf) return schema.allOf.map(partOf).join(' & ');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(types.map((type) => ofOneType(type, schema, nameOf)));
}

function ofOneType(type: string | undefined, schema: Schema, nameOf: NameOf): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema.items ? typeText(schema.items, nameOf) : 'unknown');
    case 'object':
      if (isEmpty(schema)) return 'Record<string, never>';
      return schema.properties ? objectText(schema, nameOf) : recordOf(schema, nameOf);
    default:
      return 'unknown';
  }
}

function objectText({ properties = {}, required = [] }: Schema, nameOf: NameOf): string {
  const fields = Object.entries(properties).map(
    ([name, property]) =>
      `${comment(property.description)}${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeText(property, nameOf)};\n`,
  );
  return `{\n${fields.join('')}}`;
}

function isEmpty({ properties, additionalProperties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length === 0 && additionalProperties === false;
}

function recordOf({ additionalProperties, propertyNames, required }: Schema, nameOf: NameOf): string {
  const values =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? typeText(additionalProperties, nameOf)
      : 'unknown';
  if (!propertyNames?.enum) return `Record<string, ${values}>`;
  const record = `Record<${typeText(propertyNames, nameOf)}, ${values}>`;
  return required ? record : `Partial<${record}>`;
}

function arrayOf(item: string): string {
  return /^[\w.]+$|^\{[^{}]*\}$/.test(item) ? `${item}[]` : `(${item})[]`;
}

/** Returns a union without repetitions, with null at the end. */
function union(types: string[]): string {
  const each = new Set(types.flatMap((type) => (type.includes('{') || type.includes('(') ? [type] : type.split(' | '))));
  return [...[...each].filter((type) => type !== 'null'), ...(each.has('null') ? ['null'] : [])].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
}

/** Returns the name of a property as it is written in an object type. */
function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

export function declaration(name: string, schema: Schema, nameOf?: NameOf): string {
  const text = typeText(schema, nameOf);
  const start = `${comment(schema.description)}export`;
  return text.startsWith('{') && text.endsWith('}')
    ? `${start} interface ${name} ${text}\n`
    : `${start} type ${name} = ${text};\n`;
}

const WIDTH = 110;

/** Returns a comment with a text, or nothing without a text. */
export function comment(text = ''): string {
  if (text === '') return '';
  const lines = text.replaceAll('*/', '*∕').split('\n').flatMap(wrapped);
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
