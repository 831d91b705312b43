import type { Contract, InputField, Operation } from './contract.ts';
import { type Schema, pascalCase } from './type-text.ts';

const HEAD = `# Generated from the contract by \`pnpm generate\`. Do not edit.
`;
/** Words that cannot be names in Python. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Returns the types of the Python SDK: records, errors' details and events, as typed dictionaries. */
export function pythonTypes(contract: Contract): string {
  const types = new Dictionaries();
  const requests = new Set(contract.operations.flatMap(({ body }) => (body === null ? [] : [body])));
  for (const [name, schema] of contract.schemas) if (!requests.has(name)) types.declare(name, schema);
  return `${HEAD}"""Records and events, as the service sends them."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, TypedDict, Union

${types.text()}
# An event, as the service posts it to webhook endpoints: a union by \`type\`.
WebhookEvent = Union[${[...contract.events.values()].join(', ')}]
`;
}

/** Typed dictionaries. A dictionary inside another one gets a name of its own. */
class Dictionaries {
  readonly #declared: string[] = [];
  /** Names of other types. They come last, because Python evaluates them when it loads the module. */
  readonly #aliases: string[] = [];
  readonly #names = new Set<string>();

  declare(name: string, schema: Schema): void {
    if (!schema.properties) this.#aliases.push(`${documented(schema)}${name} = ${this.typeOf(schema, name, name)}\n`);
    else this.#declareDictionary(name, schema);
  }

  text(): string {
    return [...this.#declared, ...this.#aliases].join('\n');
  }

  typeOf(schema: Schema, owner: string, property: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
    if (schema.const !== undefined) return literalOf([schema.const]);
    if (schema.enum) {
      const values = schema.enum.filter((value) => value !== null);
      return [literalOf(values), ...(values.length < schema.enum.length ? ['None'] : [])].join(' | ');
    }
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return [...new Set(options.map((option) => this.typeOf(option, owner, property)))].join(' | ');
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    return types.map((type) => this.#ofOneType(type, schema, owner, property)).join(' | ');
  }

  #ofOneType(type: string | undefined, schema: Schema, owner: string, property: string): string {
    switch (type) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'null':
        return 'None';
      case 'array':
        return `List[${schema.items ? this.typeOf(schema.items, owner, property) : 'Any'}]`;
      case 'object':
        return schema.properties ? this.#nested(schema, `${owner}${pascalCase(property)}`) : this.#mapOf(schema, owner, property);
      default:
        return 'Any';
    }
  }

  #mapOf({ additionalProperties }: Schema, owner: string, property: string): string {
    const isTyped = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
    return `Dict[str, ${isTyped ? this.typeOf(additionalProperties, owner, property) : 'Any'}]`;
  }

  #nested(schema: Schema, wanted: string): string {
    let name = wanted;
    while (this.#names.has(name)) name += '_';
    this.#declareDictionary(name, schema);
    return name;
  }

  #declareDictionary(name: string, schema: Schema): void {
    this.#names.add(name);
    const fields = Object.entries(schema.properties!).map(([property, each]) => {
      const type = this.typeOf(each, name, property);
      return { property, type: schema.required?.includes(property) ? type : `NotRequired[${type}]`, text: each.description };
    });
    // A name that is no identifier cannot be a field of a class.
    if (fields.some(({ property }) => KEYWORDS.has(property))) {
      const entries = fields.map(({ property, type }) => `    "${property}": ${quoted(type)},\n`);
      this.#declared.push(
        `${documented(schema)}${name} = TypedDict(\n    "${name}",\n    {\n${entries.map((line) => `    ${line}`).join('')}    },\n)\n`,
      );
      return;
    }
    const lines = fields.map(({ property, type, text }) => `    ${property}: ${type}\n${text ? docstring(text, '    ') : ''}`);
    const doc = schema.description ? `${docstring(schema.description, '    ')}\n` : '';
    this.#declared.push(`\nclass ${name}(TypedDict):\n${doc}${lines.join('') || '    pass\n'}`);
  }
}

/** Returns the resources of the Python SDK, with a method for each operation. */
export function pythonResources(contract: Contract): string {
  const groups = [...Map.groupBy(contract.operations, ({ group }) => group)];
  const types = new Dictionaries();
  const classes = groups.map(([group, operations]) => {
    const description = contract.groups.get(group) ?? pascalCase(group);
    return `class ${pascalCase(group)}Resource(_Resource):
${docstring(description, '    ')}
${operations.map((operation) => method(operation, contract, types)).join('\n')}`;
  });
  return `${HEAD}"""The operations of the service."""

from __future__ import annotations

from typing import Any, BinaryIO, Dict, List, Literal, Sequence

from ._connection import UNSET, Connection, Listing, RequestOptions, Unset, quote
from .types import *  # noqa: F403


class _Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection


${classes.join('\n\n')}

class AffiliateProgram:
    """The affiliate program of an account."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str,
        account_id: str,
        livemode: bool | None = None,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        """
        Args:
            livemode: False for test mode, with a key that has no mode of its own.
        """
        connection = Connection(
            url, api_key=api_key, account_id=account_id, livemode=livemode, timeout=timeout, retries=retries
        )
${groups.map(([group]) => `        self.${snakeCase(group)} = ${pascalCase(group)}Resource(connection)\n`).join('')}`;
}

function method(operation: Operation, contract: Contract, types: Dictionaries): string {
  const { name, method: verb, path, pathParameters, query, body, takesFile, response, summary, description } = operation;
  const fields = body === null ? query : fieldsOf(contract.schemas.get(body)!);
  const inOrder = [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
  const named = inOrder.map(({ name: field, schema, isRequired }) => {
    const type = inputType(schema, types, pascalCase(`${operation.group}_${name}`), field);
    return `${pythonName(field)}: ${isRequired ? type : `${type} | Unset = UNSET`}`;
  });
  const ids = pathParameters.map((id) => `${pythonName(id)}: str`);
  const parameters = [
    'self',
    ...ids,
    ...(takesFile ? ['file: bytes | BinaryIO'] : []),
    '*',
    ...named,
    'options: RequestOptions | None = None',
  ];
  const item = response === null ? null : itemOf(contract.schemas.get(response)!, query, types);
  const result = item === null ? (response ?? 'None') : `Listing[${item}, ${response}]`;
  const address =
    pathParameters.length > 0
      ? `f"${path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `{quote(${pythonName(id)})}`)}"`
      : `"${path}"`;
  const passed = `{${fields.map(({ name: field }) => `"${field}": ${pythonName(field)}`).join(', ')}}`;
  const inFields = fields.length === 0 ? '' : `${body === null ? 'query' : 'body'}=${passed}, `;
  const input = `${inFields}${takesFile ? 'file=file, ' : ''}`;
  const call =
    item === null
      ? `self._connection.send("${verb}", ${address}, ${input}options=options)`
      : `self._connection.list(${address}, ${passed}, options)`;
  const ofFile = takesFile ? ['    file: The bytes of the file, or the file opened in binary mode.'] : [];
  const about = [
    ...ofFile,
    ...fields.flatMap(({ name: field, schema }) =>
      schema.description ? [`    ${pythonName(field)}: ${schema.description.replaceAll('\n', ' ')}`] : [],
    ),
  ];
  const text = [
    `${summary}.`,
    ...(description && description !== summary ? ['', description] : []),
    ...(about.length > 0 ? ['', 'Args:', ...about] : []),
  ];
  return `    def ${pythonName(snakeCase(name))}(
        ${parameters.join(',\n        ')},
    ) -> ${result}:
${docstring(text.join('\n'), '        ')}        return ${call}
`;
}

function fieldsOf({ properties = {}, required = [] }: Schema): InputField[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

/** Returns the type of an argument. Dictionaries inside it are not typed further. */
function inputType(schema: Schema, types: Dictionaries, owner: string, field: string): string {
  return types.typeOf(withoutDictionaries(schema), owner, field).replaceAll('List[', 'Sequence[');
}

function withoutDictionaries(schema: Schema): Schema {
  const { properties: _, ...rest } = schema;
  return {
    ...rest,
    ...(schema.items ? { items: withoutDictionaries(schema.items) } : {}),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map(withoutDictionaries) } : {}),
    ...(schema.oneOf ? { oneOf: schema.oneOf.map(withoutDictionaries) } : {}),
  };
}

function itemOf({ properties }: Schema, query: InputField[], types: Dictionaries): string | null {
  const items = properties?.['data']?.items;
  const isPaged = query.some(({ name }) => name === 'starting_after');
  return isPaged && items ? types.typeOf(withoutDictionaries(items), '', 'item') : null;
}

function literalOf(values: unknown[]): string {
  const texts = values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)));
  return `Literal[${texts.join(', ')}]`;
}

function quoted(type: string): string {
  return `"${type.replaceAll('"', "'")}"`;
}

function documented({ description }: Schema): string {
  return description
    ? `\n${wrapped(description, 100)
        .map((line) => `# ${line}\n`)
        .join('')}`
    : '\n';
}

function docstring(text: string, indent: string): string {
  const lines = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .split('\n')
    .flatMap((line) => wrapped(line, 112 - indent.length));
  if (lines.length === 1) return `${indent}"""${lines[0]!.replace(/"$/, '" ')}"""\n`;
  return `${indent}"""${lines.map((line, index) => (index === 0 || line === '' ? line : `${indent}${line}`)).join('\n')}\n${indent}"""\n`;
}

/** Breaks a line into lines of at most `width` characters. Further lines are indented like the first one. */
function wrapped(text: string, width: number): string[] {
  const indent = /^ */.exec(text)![0];
  const lines = [''];
  for (const word of text.trim().split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + indent.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, index) => `${indent}${index > 0 && indent !== '' ? '  ' : ''}${line}`.trimEnd());
}

function pythonName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
