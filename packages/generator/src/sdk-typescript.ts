import type { Contract, InputField, Operation } from './contract.ts';
import { type Schema, comment, declaration, pascalCase, typeText } from './type-text.ts';

const HEAD = `// Generated from the contract by \`pnpm generate\`. Do not edit.\n\n`;

/** Returns the types of the SDK: records, requests, errors and events. */
export function sdkTypes(contract: Contract): string {
  const schemas = [...contract.schemas].map(([name, schema]) => declaration(name, schema));
  const queries = contract.operations.filter(hasQuery).map((operation) => {
    const properties = Object.fromEntries(operation.query.map(({ name, schema }) => [name, schema]));
    const required = operation.query.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return declaration(queryName(operation), { type: 'object', properties, required });
  });
  const details = [...contract.errorDetails].map(([code, each]) => {
    const types = each ? [typeText(each.schema), ...(each.isRequired ? [] : ['undefined'])] : ['undefined'];
    return `${code}: ${types.join(' | ')};\n`;
  });
  const events = [...contract.events.values()].join(' | ');
  return `${HEAD}${[...schemas, ...queries].join('\n')}
/** Types of \`details\` by error code. */
export interface ErrorDetails {
${details.join('')}}

export type ErrorCode = keyof ErrorDetails;

/** An event, as the service posts it to webhook endpoints: a union by \`type\`. */
export type WebhookEvent = ${events};
`;
}

export function sdkResources(contract: Contract): string {
  const groups = [...Map.groupBy(contract.operations, ({ group }) => group)];
  const classes = groups.map(([group, operations]) => {
    const description = contract.groups.get(group);
    return `${comment(description)}export class ${className(group)} extends Resource {
${operations.map((operation) => method(operation, contract)).join('\n')}}
`;
  });
  const used = new Set(classes.join('').match(/\b[A-Z]\w+\b/g));
  const types = [...contract.schemas.keys(), ...contract.operations.filter(hasQuery).map(queryName)];
  return `${HEAD}import { Connection, type ConnectionOptions, type FileBody, type RequestOptions, path } from '../connection.ts';
import type { List } from '../list.ts';
import type { ${types.filter((name) => used.has(name)).join(', ')} } from './types.ts';

abstract class Resource {
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}

${classes.join('\n')}
/**
 * The affiliate program of an account.
 *
 *     const program = new AffiliateProgram({ url, apiKey, accountId });
 *     const affiliate = await program.affiliates.create({ email: 'ada@example.com' });
 */
export class AffiliateProgram {
${groups.map(([group]) => `readonly ${group}: ${className(group)};\n`).join('')}
  constructor(options: ConnectionOptions) {
    const connection = new Connection(options);
${groups.map(([group]) => `this.${group} = new ${className(group)}(connection);\n`).join('')}  }
}
`;
}

function method(operation: Operation, contract: Contract): string {
  const {
    name,
    method: verb,
    path,
    pathParameters,
    query,
    body,
    takesFile,
    response,
    summary,
    description,
    isDeprecated,
  } = operation;
  const ids = pathParameters.map((each) => `${camelCase(each)}: string`);
  const fields = body === null ? null : contract.schemas.get(body)!;
  const isOptional = fields ? (fields.required ?? []).length === 0 : query.every(({ isRequired }) => !isRequired);
  const input = body ?? (query.length > 0 ? queryName(operation) : null);
  const inputName = body === null ? 'query' : 'body';
  const file = takesFile ? ['file: FileBody'] : [];
  const parameters = [...ids, ...file, ...(input === null ? [] : [`${inputName}: ${input}${isOptional ? ' = {}' : ''}`])];
  const item = response === null ? null : itemOf(contract.schemas.get(response)!, query);
  const address =
    pathParameters.length > 0
      ? `path\`${path.replaceAll(/\{(\w+)\}/g, (_, each: string) => `\${${camelCase(each)}}`)}\``
      : `'${path}'`;
  const text = [...new Set([summary.endsWith('.') ? summary : `${summary}.`, description])]
    .filter((each) => each !== summary && each !== '')
    .join(' ');
  const doc = comment(`${text}${isDeprecated ? '\n\n@deprecated' : ''}`);
  if (item !== null)
    return `${doc}${name}(${[...parameters, 'options?: RequestOptions'].join(', ')}): List<${item}, ${response}> {
      return this.connection.list(${address}, query, options);
    }
`;
  const parts = [...(input === null ? [] : [inputName]), ...(takesFile ? ['file'] : [])];
  const sent = parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  return `${doc}${name}(${[...parameters, 'options?: RequestOptions'].join(', ')}): Promise<${response ?? 'void'}> {
      return this.connection.send('${verb}', ${address}, ${sent}, options);
    }
`;
}

/** Returns the type of the records of a list, or null if the response is not a list with pages. */
function itemOf({ properties }: Schema, query: InputField[]): string | null {
  const isPaged = query.some(({ name }) => name === 'starting_after');
  const items = properties?.['data']?.items;
  return isPaged && items ? typeText(items) : null;
}

function className(group: string): string {
  return `${pascalCase(group)}Resource`;
}

function hasQuery({ query }: Operation): boolean {
  return query.length > 0;
}

function queryName({ group, name }: Operation): string {
  return `${pascalCase(group)}${pascalCase(name)}Query`;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
