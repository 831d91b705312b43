import { ERRORS, ERROR_DETAILS, PROCEDURES, type Procedure, pageInput } from '@affiliate/core';
import { z } from 'zod';
import { readContract } from './contract.ts';
import { fieldsOfWrites, withSharedFields } from './shared-fields.ts';
import { type Field, type Schema, type TypeWriter, pascalCase, propertyName, typeText } from './type-text.ts';

/**
 * Returns the declarations of `AppRouter`, `ErrorCode` and `ErrorDetails` for the packed client. TypeScript could write them as well, but
 * would repeat each record wherever it appears, which is 390 KB. Here every record is an interface with the name that the contract gives it. The
 * text has no spaces between fields, because it is read by compilers, and editors format the types that they show.
 */
export function clientTypes(): string {
  const types = new NamedTypes();
  // The first pass finds the types that appear several times, the second one writes their names.
  declarationsWith(types);
  types.nameRepeated();
  const text = declarationsWith(types);
  const declarations = `${types.declarations()}${text}`
    .replaceAll(' | ', '|')
    .replaceAll(' & ', '&')
    .replaceAll(/(?<!= )Record<string, never>/g, 'None');
  return `${HEAD}${withSharedFields(declarations, fieldsOfWrites(declarations))}`;
}

/**
 * True if a program with an API key can call the procedure. The others are for the service's own pages: they need a session, a portal link, or
 * the link of the first start.
 */
function isForPrograms({ meta: { access, audience, rest } }: Procedure): boolean {
  return access !== undefined || audience === 'account' || (audience === 'anyone' && rest !== undefined);
}

const HEAD = `import type {
  TRPCBuiltRouter,
  TRPCCreateRouterOptions,
  TRPCDecorateCreateRouterOptions,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';
`;

function declarationsWith(types: NamedTypes): string {
  const rooms = Map.groupBy(PROCEDURES.filter(isForPrograms), ({ path }) => path.split('.')[0]!);
  const routers = [...rooms].map(([room, procedures]) => {
    const entries = procedures.map((procedure) => {
      const name = procedure.path.split('.')[1]!;
      const input = types.typeFor(procedure.input, 'input', `${room}${name === 'list' ? '' : `_${name}`}`);
      const output = types.typeFor(procedure.output, 'output', `${room}_${name}_output`);
      return `${name}: ${procedure.type === 'query' ? 'Query' : 'Mutation'}<${passed(procedure, input)}, ${output}>;\n`;
    });
    return `${room}: Room<{\n${entries.join('')}}>;\n`;
  });
  const details = Object.keys(ERRORS).map((code) => {
    const schema = ERROR_DETAILS[code as keyof typeof ERROR_DETAILS];
    const type = schema ? types.typeFor(schema, 'output', `${code.toLowerCase()}_details`) : null;
    return `${code}: ${code === 'VALIDATION_ERROR' ? type : [type, 'undefined'].filter(Boolean).join(' | ')};\n`;
  });
  return `export interface ErrorDetails {
${details.join('')}}
export type ErrorCode = keyof ErrorDetails;
interface Root {
  ctx: object;
  meta: object;
  errorShape: { message: string; code: number; data: { error: string; code: ErrorCode; details?: unknown; httpStatus: number } };
  transformer: false;
}
type Query<Input, Output> = TRPCQueryProcedure<{ input: Input; output: Output; meta: object }>;
type Mutation<Input, Output> = TRPCMutationProcedure<{ input: Input; output: Output; meta: object }>;
type Sorted<Field extends string> = Field | \`-\${Field}\`;
type None = Record<string, never>;
interface Bulk<Of> {
  data: { index: number; result: 'created' | 'unchanged' | 'failed'; record: Of | null; error: BulkError | null }[];
  succeeded_count: number;
  failed_count: number;
}
interface Page<Data> {
  data: Data;
  pagination: Pagination;
}
type Room<Procedures extends TRPCCreateRouterOptions> = TRPCBuiltRouter<Root, TRPCDecorateCreateRouterOptions<Procedures>>;
export type AppRouter = TRPCBuiltRouter<Root, TRPCDecorateCreateRouterOptions<{
${routers.join('')}}>>;
`;
}

function passed({ passing }: Procedure, input: string): string {
  if (passing === 'none') return 'void';
  return passing === 'optional' ? `${input} | undefined` : input;
}

/** Writes enumerations, which contain no other types. */
const PLAIN: TypeWriter = { combinesNames: true, nameOf: (ref) => ref, typeOf: () => '', objectText: () => '' };

type Io = 'input' | 'output';

/** A schema, with the schemas that have names. */
type Document = Schema & { $defs?: Record<string, Schema> };

/** A type that appears several times gets a name of its own if it is at least this long, or an enumeration of the contract of some length. */
const MIN_NAMED_LENGTH = 30;
const MIN_ENUMERATION_LENGTH = 16;

/** An interface is used for the fields of another type if it has at least as many. */
const MIN_EXTENDED = 10;

/** The types of the declarations: one interface for each schema with an id, and one alias for each other type that appears several times. */
class NamedTypes {
  readonly #schemas = new Map<z.ZodType, Partial<Record<Io, Document>>>();
  /** Texts of the interfaces, by id. A schema whose inputs and outputs differ has two. */
  #interfaces = new Map<string, Partial<Record<Io, string>>>();
  /** The same texts after the first pass. */
  #plainInterfaces = new Map<string, Partial<Record<Io, string>>>();
  /** Texts without aliases. */
  readonly #plain = new Map<Schema, string>();
  readonly #seen = new Map<string, { times: number; names: string[] }>();
  /** Names by text. The text of an alias is null if it is that of an interface. */
  readonly #aliases = new Map<string, { name: string; text: string | null }>();
  #isFirstPass = true;
  readonly #enumerations = namedEnumerations();

  typeFor(zodType: z.ZodType, io: Io, name: string): string {
    if (zodType instanceof z.ZodVoid) return 'void';
    const known = this.#schemas.get(zodType) ?? {};
    this.#schemas.set(zodType, known);
    const schema = (known[io] ??= z.toJSONSchema(zodType, { io, unrepresentable: 'any' }) as Document);
    return this.#writer(io, schema.$defs ?? {}, name).typeOf(schema, name);
  }

  /** Gives names to the types that appeared several times so far. */
  nameRepeated(): void {
    this.#isFirstPass = false;
    this.#plainInterfaces = this.#interfaces;
    this.#interfaces = new Map();
    const taken = new Set(this.#plainInterfaces.keys());
    const interfaces = new Map([...this.#plainInterfaces].map(([id, { input, output }]) => [output ?? input!, id]));
    for (const [text, { times, names }] of this.#seen) {
      const id = interfaces.get(text);
      if (id !== undefined) this.#aliases.set(text, { name: id, text: null });
      if (id !== undefined || times === 1) continue;
      const name =
        [...(this.#enumerations.get(text) ?? []), ...names.map(pascalCase)].find((each) => !taken.has(each)) ??
        `${pascalCase(names.at(-1)!)}${taken.size}`;
      taken.add(name);
      this.#aliases.set(text, { name, text: '' });
    }
  }

  declarations(): string {
    const texts = [...this.#interfaces].flatMap(([id, { input, output }]): [name: string, text: string][] => [
      ...(output === undefined ? [] : [[id, output] as [string, string]]),
      ...(input === undefined || input === output ? [] : [[output === undefined ? id : `${id}Input`, input] as [string, string]]),
    ]);
    const fields = new Map(texts.filter(([, text]) => text.startsWith('{')).map(([name, text]) => [name, fieldsIn(text)]));
    const interfaces = texts.map(([name, text]) => {
      const own = fields.get(name);
      return own ? interfaceText(name, own, fields) : `type ${name} = ${text};\n`;
    });
    const aliases = [...this.#aliases.values()].map(({ name, text }) => (text === null ? '' : `type ${name} = ${text};\n`));
    return [...interfaces, ...aliases].join('');
  }

  #writer(io: Io, defs: Record<string, Schema>, owner: string): TypeWriter {
    const writer: TypeWriter = {
      combinesNames: true,
      nameOf: (ref) => this.#nameOf(ref.split('/').at(-1)!, io, defs),
      typeOf: (schema, property) => {
        const text = typeText(schema, property, writer);
        if (this.#isFirstPass) return this.#count(schema, text, [property, `${owner}_${property}`]);
        const alias = this.#aliases.get(this.#plain.get(schema)!);
        if (!alias) return text;
        if (alias.text !== null) alias.text = text;
        return alias.name;
      },
      objectText: (fields) => {
        if (io === 'output') return listText(fields) ?? bulkText(fields) ?? this.#extended(fields) ?? textOf(fields);
        return this.#isFirstPass ? textOf(fields) : this.#inputText(fields, owner);
      },
    };
    return writer;
  }

  /** Returns the type of an input. The fields of a page, and the filters that a list shares with its CSV, are interfaces of their own. */
  #inputText(fields: Field[], owner: string): string {
    if (!isPaged(fields) && !fields.some(({ name }) => name === 'after')) return textOf(fields);
    const filters = fields.filter((field) => !isOfPage(field) && !OWN_FIELDS.includes(field.name));
    const parts = [
      ...(isPaged(fields) ? [this.#shared('Paging', fields.filter(isOfPage))] : []),
      ...(filters.length > 0 ? [this.#shared(`${pascalCase(owner.split('_')[0]!)}Filters`, filters)] : []),
    ];
    const own = fields.filter(({ name }) => OWN_FIELDS.includes(name));
    return [...parts, ...(own.length > 0 ? [textOf(own)] : [])].join(' & ');
  }

  /** Returns an interface and further fields, if an interface has most of the fields and no others. */
  #extended(fields: Field[]): string | null {
    const own = new Set(fields.map(fieldText));
    for (const [name, { output = '' }] of this.#interfaces) {
      const known = output.startsWith('{') ? fieldsIn(output) : new Set<string>();
      if (known.size < MIN_EXTENDED || known.size === own.size || !known.isSubsetOf(own)) continue;
      return `${name} & ${textOf(fields.filter((field) => !known.has(fieldText(field))))}`;
    }
    return null;
  }

  /** Returns the name of an interface with these fields, or the type itself if another one has the name. */
  #shared(name: string, fields: Field[]): string {
    const text = textOf(fields);
    const texts = this.#interfaces.get(name) ?? { output: text };
    this.#interfaces.set(name, texts);
    return texts.output === text ? name : text;
  }

  #count(schema: Schema, text: string, names: string[]): string {
    this.#plain.set(schema, text);
    const isNamed = text.length >= MIN_ENUMERATION_LENGTH && this.#enumerations.has(text);
    if ((text.length < MIN_NAMED_LENGTH && !isNamed) || schema.$ref !== undefined || /(\[\]| \| null)$/.test(text)) return text;
    const seen = this.#seen.get(text) ?? { times: 0, names };
    seen.times += 1;
    this.#seen.set(text, seen);
    return text;
  }

  #nameOf(id: string, io: Io, defs: Record<string, Schema>): string {
    const texts = this.#interfaces.get(id) ?? {};
    this.#interfaces.set(id, texts);
    if (texts[io] === undefined) {
      // Set first, because a schema may refer to itself.
      texts[io] = '';
      texts[io] = typeText(defs[id]!, id, this.#writer(io, defs, id));
    }
    const { input, output } = this.#plainInterfaces.get(id) ?? {};
    return io === 'input' && output !== undefined && input !== output ? `${id}Input` : id;
  }
}

/** Returns the names of enumerations in the contract, by their types. */
function namedEnumerations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, schema] of readContract().schemas) {
    if (!schema.enum) continue;
    const text = typeText(schema, name, PLAIN);
    found.set(text, [...(found.get(text) ?? []), name]);
  }
  return found;
}

/** Returns the fields of an object type that `objectText` wrote. */
function fieldsIn(text: string): Set<string> {
  const fields: string[] = [];
  let depth = 0;
  for (const part of text.slice(1, -1).split(';')) {
    if (depth > 0) fields.push(`${fields.pop()};${part}`);
    else fields.push(part);
    depth += part.split('{').length - part.split('}').length;
  }
  return new Set(fields);
}

/** Returns an interface. It extends the interface with the most of its fields, if there is one that has no others. */
function interfaceText(name: string, own: ReadonlySet<string>, all: ReadonlyMap<string, ReadonlySet<string>>): string {
  const [base] = [...all]
    .filter(([, fields]) => fields.size < own.size && fields.size > 2 && fields.isSubsetOf(own))
    .toSorted(([, a], [, b]) => b.size - a.size);
  const rest = base ? [...own].filter((field) => !base[1].has(field)) : [...own];
  return `interface ${name} ${base ? `extends ${base[0]} ` : ''}{${rest.join(';')}}\n`;
}

const PAGE_FIELDS = Object.keys(pageInput);
/** Fields in which a list differs from its CSV. */
const OWN_FIELDS = ['expand', 'after'];

function isOfPage({ name }: Field): boolean {
  return PAGE_FIELDS.includes(name);
}

/** True for the input of a list that has all fields of a page. */
function isPaged(fields: Field[]): boolean {
  return fields.filter(isOfPage).length === PAGE_FIELDS.length;
}

/** Returns the type of the output of a list, or null for another type. */
function listText(fields: Field[]): string | null {
  const [data, pagination] = fields;
  const isPage = fields.length === 2 && data?.name === 'data' && pagination?.type === 'Pagination' && !pagination.isOptional;
  return isPage ? `Page<${data.type}>` : null;
}

/** Returns the type of the output of a call about many records, or null for another type. */
function bulkText(fields: Field[]): string | null {
  const [data] = fields;
  const [, record] = /^\{index:number;result:.*;record:(\w+) \| null;error:BulkError \| null\}\[\]$/.exec(data?.type ?? '') ?? [];
  return record !== undefined && fields.length === 3 ? `Bulk<${record}>` : null;
}

function textOf(fields: Field[]): string {
  return `{${fields.map(fieldText).join(';')}}`;
}

function fieldText({ name, type, isOptional }: Field): string {
  return `${propertyName(name)}${isOptional ? '?' : ''}:${type}`;
}
