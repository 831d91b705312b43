/** Compares objects with the types that payment providers publish in their libraries, which every clone has installed. */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';

const RESOURCES = join(dirname(createRequire(import.meta.url).resolve('stripe')), '../esm/resources');

interface Node {
  type: string;
  [field: string]: unknown;
}

/** The interfaces and the other types of files by name, e.g. `Charge` and `Charge.BillingDetails`. */
class Declarations {
  readonly interfaces = new Map<string, Node[]>();
  readonly aliases = new Map<string, Node>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      const source = readFileSync(file, 'utf8');
      this.#read((parseSync(source, { syntax: 'typescript' }) as unknown as { body: Node[] }).body, '');
    }
  }

  #read(statements: readonly Node[], prefix: string): void {
    for (const statement of statements) {
      const node = (statement['declaration'] as Node | null | undefined) ?? statement;
      const name = `${prefix}${nameOf(node['id'])}`;
      if (node.type === 'TsInterfaceDeclaration') this.interfaces.set(name, (node['body'] as { body: Node[] }).body);
      else if (isLiteral(node['typeAnnotation'])) this.interfaces.set(name, node['typeAnnotation'].members);
      else if (node.type === 'TsTypeAliasDeclaration') this.aliases.set(name, node['typeAnnotation'] as Node);
      else if (node.type === 'TsModuleDeclaration') this.#read((node['body'] as { body: Node[] }).body, `${name}.`);
    }
  }
}

/**
 * Lists the paths at which an object lacks a required field of a type that Stripe publishes, or has a value of another kind. Types of other files are
 * not followed.
 *
 * @param file name of the file below `resources`, e.g. `Charges`
 */
export function differencesFrom(file: string, type: string, actual: unknown): string[] {
  return ofInterface(new Declarations([join(RESOURCES, `${file}.d.ts`)]), type, actual, type);
}

/** Returns a function that does the same for the types in files of a package, whose names are unique. */
export function publishedBy(packageName: string, patterns: readonly string[]): (type: string, actual: unknown) => string[] {
  const cwd = join(import.meta.dirname, '../../node_modules', packageName);
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd }).map((file) => join(cwd, file)));
  const declared = new Declarations(files);
  return (type, actual) => ofInterface(declared, type, actual, type);
}

/** Returns the texts that a field of a published type may have. */
export function publishedValues(packageName: string, file: string, type: string, field: string): string[] {
  const declared = new Declarations([join(import.meta.dirname, '../../node_modules', packageName, file)]);
  const member = declared.interfaces.get(type)!.find(({ key }) => nameOf(key) === field)!;
  const { typeAnnotation } = member['typeAnnotation'] as { typeAnnotation: Node };
  return (typeAnnotation['types'] as Node[]).flatMap(({ type: kind, literal }) =>
    kind === 'TsLiteralType' ? [nameOf(literal)] : [],
  );
}

/** Returns a function that does the same for the types in files of this repository. */
export function declaredIn(files: readonly string[]): (type: string, actual: unknown) => string[] {
  const declared = new Declarations(files.map((file) => join(import.meta.dirname, '../..', file)));
  return (type, actual) => ofInterface(declared, type, actual, type);
}

function ofInterface(declared: Declarations, name: string, actual: unknown, path: string): string[] {
  return ofMembers(declared, declared.interfaces.get(name)!, actual, path, name);
}

function ofMembers(declared: Declarations, members: readonly Node[], actual: unknown, path: string, name: string): string[] {
  if (typeof actual !== 'object' || actual === null) return [`${path} is ${kindOf(actual)}, not an object`];
  return members.flatMap((member) => {
    if (member.type !== 'TsPropertySignature') return [];
    const key = nameOf(member['key']);
    const here = `${path}.${key}`;
    const value = (actual as Record<string, unknown>)[key];
    if (value === undefined) return member['optional'] === true ? [] : [`${here} is missing`];
    return ofType(declared, (member['typeAnnotation'] as { typeAnnotation: Node }).typeAnnotation, value, here, name);
  });
}

/** An optional field is left out, so no value is undefined. */
const KINDS = ['string', 'number', 'boolean', 'null', 'undefined'];

/** Returns no difference if the value fits the type, or one of the types of a union. */
function ofType(declared: Declarations, type: Node, value: unknown, path: string, within: string): string[] {
  switch (type.type) {
    case 'TsUnionType': {
      const each = (type['types'] as Node[]).map((part) => ofType(declared, part, value, path, within));
      return each.some((differences) => differences.length === 0) ? [] : each.toSorted((a, b) => a.length - b.length)[0]!;
    }
    case 'TsKeywordType': {
      const kind = type['kind'] as string;
      return KINDS.includes(kind) ? expectKind(value, kind, path) : [];
    }
    case 'TsLiteralType': {
      const { value: literal } = type['literal'] as { value: unknown };
      return value === literal ? [] : [`${path} is ${JSON.stringify(value)}, not ${JSON.stringify(literal)}`];
    }
    case 'TsArrayType':
      if (!Array.isArray(value)) return [`${path} is ${kindOf(value)}, not an array`];
      return value.flatMap((item, i) => ofType(declared, type['elemType'] as Node, item, `${path}.${i}`, within));
    case 'TsTypeLiteral':
      return ofMembers(declared, type['members'] as Node[], value, path, within);
    case 'TsTypeReference': {
      const name = referenced(declared, nameOf(type['typeName']), within);
      if (name === null) return [];
      const alias = declared.aliases.get(name);
      return alias === undefined ? ofInterface(declared, name, value, path) : ofType(declared, alias, value, path, name);
    }
    default:
      return [];
  }
}

/** Returns the full name of a type of the file, which its namespace may shorten. Null for a type of another file. */
function referenced(declared: Declarations, name: string, within: string): string | null {
  const scopes = within.split('.').map((_, i, parts) => `${parts.slice(0, parts.length - i).join('.')}.`);
  const found = [...scopes, '']
    .map((scope) => scope + name)
    .find((full) => declared.interfaces.has(full) || declared.aliases.has(full));
  return found ?? null;
}

function isLiteral(node: unknown): node is Node & { members: Node[] } {
  return (node as Node | undefined)?.type === 'TsTypeLiteral';
}

function nameOf(node: unknown): string {
  const { value, left, right } = (node ?? {}) as { value?: string; left?: Node; right?: Node };
  return left === undefined ? (value ?? '') : `${nameOf(left)}.${nameOf(right)}`;
}

function expectKind(value: unknown, kind: string, path: string): string[] {
  return kindOf(value) === kind ? [] : [`${path} is ${kindOf(value)}, not ${kind}`];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
