import type { oas31 } from 'zod-openapi';

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/**
 * Adds samples of each operation that a program can call: a command for curl, and a call of each SDK. The values are those of the examples. Call it after
 * the examples have been added.
 */
export function addCodeSamples(document: oas31.OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item as Record<string, oas31.OperationObject>)) {
      if (operation.security !== undefined) continue;
      const call = callOf(method.toUpperCase(), path, operation);
      const samples: CodeSample[] = [{ lang: 'Shell', label: 'curl', source: curl(call) }];
      if (hasMethodInSdks(operation)) {
        samples.push({ lang: 'TypeScript', label: 'SDK for TypeScript', source: typescript(call) });
        samples.push({ lang: 'Python', label: 'SDK for Python', source: python(call) });
      }
      operation['x-codeSamples'] = samples;
    }
  }
}

/** An example of a request. */
interface Call {
  method: string;
  /** Path with the values of its parameters. */
  path: string;
  operationId: string;
  ids: unknown[];
  /** Required parameters of the query. */
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  takesFile: boolean;
}

function callOf(method: string, path: string, { operationId, parameters = [], requestBody }: oas31.OperationObject): Call {
  const own = parameters.filter((each): each is oas31.ParameterObject => 'name' in each);
  const inPath = own.filter((each) => each.in === 'path');
  const content = (requestBody as oas31.RequestBodyObject | undefined)?.content ?? {};
  const body = content['application/json']?.example as Call['body'];
  const required = own.filter((each) => each.in === 'query' && each.required === true && !(each.name in (body ?? {})));
  return {
    method,
    path: inPath.reduce((filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))), path),
    operationId: operationId!,
    ids: inPath.map(({ example }) => example as unknown),
    query: Object.fromEntries(required.map(({ name, example }) => [name, example])),
    body,
    takesFile: 'application/octet-stream' in content,
  };
}

/** False for files, which the SDKs leave out. */
function hasMethodInSdks({ responses = {} }: oas31.OperationObject): boolean {
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  const { content } = (responses[success as '200'] ?? {}) as oas31.ResponseObject;
  return content === undefined || 'application/json' in content;
}

/** Name of a file in samples. */
const FILE = 'banner.txt';

function curl({ method, path, query, body, takesFile }: Call): string {
  const parameters = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  ).toString();
  const lines = [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}"$BASE${path}${parameters && `?${parameters}`}"`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H "X-Account-Id: $ACCOUNT_ID"`,
    ...(takesFile ? [`-H 'Content-Type: application/octet-stream'`, `--data-binary @${FILE}`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function typescript({ method, operationId, ids, query, body, takesFile }: Call): string {
  const [group, name] = operationId.split('.');
  // The fields of a DELETE are in its query, and are optional.
  const fields = method === 'DELETE' ? query : (body ?? query);
  const values = [...ids, ...(Object.keys(fields).length > 0 ? [fields] : [])].map((value) => literal(value, ''));
  const passed = [...(takesFile ? ['file'] : []), ...values].join(', ');
  const opened = takesFile ? `const { openAsBlob } = await import('node:fs');\nconst file = await openAsBlob('${FILE}');\n` : '';
  return `${opened}const result = await program.${group}.${name}(${passed});`;
}

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`;
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const name = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? key : quoted(key));
  return `{\n${entries.map(([key, each]) => `${inner}${name(key)}: ${literal(each, inner)},\n`).join('')}${indent}}`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

/** Words of Python that operations and fields are called. The SDK adds an underscore to them. */
const PYTHON_WORDS = new Set(['from', 'return', 'import', 'pass', 'async']);

function python({ method, operationId, ids, query, body, takesFile }: Call): string {
  const [group, name] = operationId.split('.').map((part) => part.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const fields = Object.entries(method === 'DELETE' ? query : (body ?? query));
  const named = fields.map(([key, value]) => `${pythonName(key)}=${pythonLiteral(value)}`);
  const call = `result = program.${group}.${pythonName(name!)}(${[...(takesFile ? ['file'] : []), ...ids.map(pythonLiteral), ...named].join(', ')})`;
  return takesFile ? `with open("${FILE}", "rb") as file:\n    ${call}` : call;
}

function pythonName(name: string): string {
  return PYTHON_WORDS.has(name) ? `${name}_` : name;
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${pythonLiteral(each)}`)
    .join(', ')}}`;
}
