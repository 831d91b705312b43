import { CONTRACT_NAMES, type ContractName, type oas31, contractDocument } from '@affiliate/rest/contract';
import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export const CONTRACTS = Object.fromEntries(
  CONTRACT_NAMES.map((name) => [name, contractDocument({ name, serverUrl: 'http://127.0.0.1:3000' })]),
) as Record<ContractName, oas31.OpenAPIObject>;

/** The contract of the affiliate program. */
export const CONTRACT = CONTRACTS.v1;

/** An operation of a contract. Pointers begin with the name of the contract, followed by the JSON pointer in its document. */
export interface Operation {
  method: string;
  path: string;
  contract: ContractName;
  pointer: string[];
  operation: oas31.OperationObject;
}

/** The operations of all contracts. */
export const OPERATIONS: readonly Operation[] = CONTRACT_NAMES.flatMap((contract) =>
  Object.entries(CONTRACTS[contract].paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      contract,
      pointer: [contract, 'paths', path, method],
      operation,
    })),
  ),
);

/** Options for schemas that validate only a few values. Such schemas are compiled quickly, but their code may be large. */
export const QUICK_TO_COMPILE = { validateSchema: false, inlineRefs: false, code: { optimize: false } } as const;

/**
 * Returns a contract in which objects have no other fields than the described ones. Clients must accept further fields, but the service must not send
 * a field that the contract does not describe.
 */
function closed<Of>(value: Of): Of {
  if (Array.isArray(value)) return value.map(closed) as Of;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child as unknown)]));
  if (copy['type'] === 'object' && typeof copy['properties'] === 'object') copy['additionalProperties'] ??= false;
  return copy as Of;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, ...QUICK_TO_COMPILE });
formats.default(ajv);
for (const name of CONTRACT_NAMES) ajv.addSchema(closed(CONTRACTS[name]), name);
const compiled = new Map<string, ValidateFunction>();

/** Validates a value against the schema at a pointer that begins with the name of a contract. Returns the violations, or null. */
export function violations([contract, ...pointer]: readonly string[], value: unknown): string | null {
  const ref = `${contract}#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  let validate = compiled.get(ref);
  if (!validate) compiled.set(ref, (validate = ajv.compile({ $ref: ref })));
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'value' });
}

const isParameter = (part: string) => part.startsWith('{');
const literals = (template: string[]) => template.filter((part) => !isParameter(part)).length;
/** Operations with their path segments. Operations with fewer parameters come first. */
const CANDIDATES = OPERATIONS.map((operation) => ({ operation, template: operation.path.split('/') })).toSorted(
  (a, b) => literals(b.template) - literals(a.template),
);

/** Finds the operation of a request. Literal path segments take precedence over parameters. */
export function operationFor(method: string, pathname: string): Operation | undefined {
  // A slash at the end of a path does not count.
  const parts = pathname.replace(/\/$/, '').split('/');
  const asked = method === 'HEAD' ? 'GET' : method;
  return CANDIDATES.find(
    ({ operation, template }) =>
      operation.method === asked &&
      template.length === parts.length &&
      template.every((part, i) => (isParameter(part) ? parts[i] !== '' : part === parts[i])),
  )?.operation;
}

/** Resolves a `$ref` within a contract. Returns other objects unchanged. */
export function deref<T extends object>(
  contract: ContractName,
  object: T | oas31.ReferenceObject,
): { target: T; pointer: string[] | null } {
  if (!('$ref' in object) || typeof object.$ref !== 'string') return { target: object as T, pointer: null };
  const pointer = object.$ref.slice('#/'.length).split('/');
  const target = pointer.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], CONTRACTS[contract]);
  return { target: target as T, pointer: [contract, ...pointer] };
}

/** The parts of a response that are checked. */
type Answered = Pick<Response, 'status' | 'headers'>;

/**
 * Throws unless status, headers and body of a response match the contract of its operation. The response to an unknown operation must be an error
 * envelope. Does not check paths outside the contract, or preflights.
 */
export function checkAgainstContract(method: string, pathname: string, response: Answered, text: string): void {
  if (method === 'OPTIONS') return;
  const found = operationFor(method, pathname);
  if (!found && !/^\/(api|track)\//.test(pathname)) return;
  const problems = found ? checkOperation(found, method, response, text) : checkUnknown(response, text);
  if (problems.length > 0) {
    throw new Error(
      `${method} ${pathname} breaks the contract with status ${response.status}:\n- ${problems.join('\n- ')}\nThe body: ${text.slice(0, 2000)}`,
    );
  }
}

function checkUnknown(response: Answered, text: string): string[] {
  if (response.status !== 404 && response.status !== 405) return ['the contract has no operation with this path and method'];
  return [violations(['v1', 'components', 'schemas', 'ErrorEnvelope'], parse(text))].filter((problem) => problem !== null);
}

function checkOperation({ operation, contract, pointer }: Operation, method: string, response: Answered, text: string): string[] {
  const declared = operation.responses?.[String(response.status) as '200'];
  if (!declared) return ['the operation does not have this status'];
  const { target, pointer: elsewhere } = deref<oas31.ResponseObject>(contract, declared);
  const at = elsewhere ?? [...pointer, 'responses', String(response.status)];
  return [...headerProblems(contract, target, response), ...(method === 'HEAD' ? [] : bodyProblems(target, at, response, text))];
}

function headerProblems(contract: ContractName, declared: oas31.ResponseObject, response: Answered): string[] {
  return Object.entries(declared.headers ?? {}).flatMap(([name, header]) => {
    const { target, pointer } = deref<oas31.HeaderObject>(contract, header);
    const value = response.headers.get(name);
    if (value === null) return target.required ? [`the header ${name} is missing`] : [];
    const isNumber = (target.schema as oas31.SchemaObject | undefined)?.type === 'integer';
    const problem = pointer && violations([...pointer, 'schema'], isNumber ? Number(value) : value);
    return problem ? [`the header ${name}: ${problem}`] : [];
  });
}

function bodyProblems(declared: oas31.ResponseObject, at: string[], response: Answered, text: string): string[] {
  const types = Object.keys(declared.content ?? {});
  if (types.length === 0) return text === '' ? [] : ['there should be no body'];
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
  if (!types.includes(type)) return [`the content type is ${type || 'missing'}, not ${types.join(' or ')}`];
  if (type !== 'application/json') return [];
  const problem = violations([...at, 'content', type, 'schema'], parse(text));
  return problem === null ? [] : [problem];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
