import { type Meta, type MutationPath, type Procedure, type ProcedurePath, type QueryPath, getProcedure } from '@affiliate/core';
import { z } from 'zod';
import type { ViewUri } from './views.ts';

/** Groups of tools. An address of the server can be limited to some of them. */
export const TOOLSETS = ['program', 'affiliates', 'sales', 'payouts', 'codes', 'webhooks', 'team'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/**
 * A tool for one resource. Each action is one procedure, which provides the schemas and the permission. Reading and writing are separate
 * tools, so that the hints of a tool are true for all its actions, and a person can allow one without the other.
 */
export interface ToolDefinition {
  name: string;
  title: string;
  toolset: Toolset;
  /** Description for the assistant: the tool's purpose, and which action to use when. Under 1,000 characters. */
  description: string;
  actions: Readonly<Record<string, ReadAction | WriteAction>>;
  /** Descriptions of arguments whose names and types do not say enough. */
  notes?: Readonly<Record<string, string>>;
  /** True if the tool affects systems outside the service: the payment provider or an inbox. */
  openWorld?: boolean;
  /** View in which clients that support MCP Apps show the replies. Others show the text. */
  view?: ViewUri;
}

type ReadAction =
  | QueryPath
  | (Arguments & {
      procedure: QueryPath;
      /** Fields of a list's records that the table shows unless the caller names others. Required for every list. */
      columns?: readonly string[];
      /** Further reads whose results stand beside the result, e.g. the timeline of a record. */
      beside?: Readonly<Record<string, BesideRead>>;
      /** Path of the pages of these records in the browser. The reply contains the URL of the record's page. */
      page?: string;
      destructive?: never;
      idempotent?: never;
    });

/** A further read, and its input made from the arguments of the call. */
interface BesideRead {
  procedure: QueryPath;
  input: (given: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** Every write must declare its effects, because a default could be wrong for an action that moves money. */
interface WriteAction extends Arguments {
  procedure: MutationPath;
  /** True if the action moves money, or cannot be reverted by another call. */
  destructive: boolean;
  /** True if repeating a call with the same arguments certainly has no further effect. */
  idempotent: boolean;
  /** Fields of the result that are secrets. Replies do not contain them. */
  hides?: readonly string[];
}

interface Arguments {
  /** Fields of the procedure's input that are arguments of this action. Default: all fields. */
  takes?: readonly string[];
  /** Fields that are not offered as arguments, to keep the tool small. */
  omits?: readonly string[];
  /** Fields of `RARE_FIELDS` that are offered nevertheless. */
  offers?: readonly string[];
  /** Fields that are published as objects without their properties, to keep the tool small. A refused call names what is missing or wrong. */
  untyped?: readonly string[];
  /** Fields whose possible values, or the fields of whose items, are not published, because they are many. A refused call names them. */
  unlisted?: readonly string[];
  /**
   * Maps an argument to its field where the names differ: `{ id: 'payout_export_id' }` passes the argument `id` as the
   * field `payout_export_id`. `takes` lists the names of fields.
   */
  renamed?: Readonly<Record<string, string>>;
  /** Fields of the procedure's input with a fixed value for this action. */
  fixed?: Readonly<Record<string, unknown>>;
}

export interface Action extends Required<Pick<Arguments, 'untyped' | 'unlisted' | 'renamed' | 'fixed'>> {
  name: string;
  procedure: Procedure;
  /** Permissions of the procedure and of the reads beside it. */
  access: readonly NonNullable<Meta['access']>[];
  /** Names of the published arguments. */
  takes: readonly string[];
  /** True for a list with pages. It accepts `page`, which is not published, because `cursor` replaces it. */
  isPaged: boolean;
  /** Columns of the table of a list. Null for other actions. */
  columns: readonly string[] | null;
  beside: readonly (BesideRead & { name: string })[];
  page: string | null;
  /** Returns the name of the field of the procedure's input that an argument sets. */
  fieldOf: (argument: string) => string;
  /** Names of fields of the result that replies do not contain. */
  hides: readonly string[];
  /** Null for an action that only reads. */
  effects: { destructive: boolean; idempotent: boolean } | null;
}

export interface Tool extends Omit<ToolDefinition, 'actions' | 'notes'> {
  actions: readonly Action[];
  notes: Readonly<Record<string, string>>;
}

/** Fields that a merchant's own software sets. Tools for records that assistants rarely match with other systems omit them. */
export const MERCHANT_DATA: readonly string[] = ['external_id', 'metadata'];

/** Fields of the input of a list that `cursor` replaces. */
const PAGE_FIELDS: readonly string[] = ['page', 'starting_after', 'ending_before', 'include_total'];

/** Fields that nearly all lists have, and that assistants rarely need. They are not offered as arguments, to keep the tools small. */
const RARE_FIELDS: readonly string[] = [
  'sort',
  ...['created', 'updated'].flatMap((time) => [`${time}_since`, `${time}_until`]),
  ...MERCHANT_DATA,
  'ids',
  'q',
  'referral_id',
  'sale_id',
  'customer_id',
  'link_id',
  'payment_reference',
  'slug',
  'url',
  'token',
  'currency',
  'amount_from_cents',
  'amount_to_cents',
];

/** Arguments that belong to the tools themselves, not to the procedure's input. */
export const CONTROLS = ['action', 'dry_run', 'idempotency_key', 'preview_token', 'cursor', 'fields'] as const;

/** Defines the tools of a group, in list order (`defineTool`). */
export function defineTools(toolset: Toolset, tools: readonly Omit<ToolDefinition, 'toolset'>[]): Tool[] {
  return tools.map((tool) => defineTool({ ...tool, toolset }));
}

/**
 * Defines a tool.
 *
 * @throws when the module is loaded, for a procedure without a permission (which is public and not for connectors), for a
 *   procedure without a result, for a field that the procedure's input or records do not have, for a list without columns, and for a
 *   note about an argument that no action takes
 */
export function defineTool({ actions, notes = {}, ...tool }: ToolDefinition): Tool {
  const defined = Object.entries(actions).map(([name, action]) =>
    typeof action === 'string' ? defineAction(name, { procedure: action }) : defineAction(name, action),
  );
  const stray = Object.keys(notes).find((name) => !defined.some(({ takes }) => takes.includes(name)));
  if (stray !== undefined) throw new Error(`${tool.name} has no argument ${stray}`);
  return { ...tool, notes, actions: defined };
}

type AnyAction = { procedure: ProcedurePath } & Partial<
  Omit<Exclude<ReadAction, string>, 'procedure' | 'destructive' | 'idempotent'> & Omit<WriteAction, 'procedure'>
>;

function defineAction(name: string, definition: AnyAction): Action {
  const {
    procedure: path,
    takes,
    omits = [],
    offers = [],
    untyped = [],
    unlisted = [],
    renamed = {},
    fixed = {},
    columns,
    beside = {},
    page = null,
    hides = [],
    destructive,
    idempotent,
  } = definition;
  const procedure = getProcedure(path);
  const access = [path, ...Object.values(beside).map((read) => read.procedure)].map(accessOf);
  if (procedure.output instanceof z.ZodVoid) throw new Error(`${path} returns nothing to show in a preview`);
  const fields = Object.keys(procedure.input.shape);
  const named = [takes ?? [], omits, offers, untyped, unlisted, Object.keys(fixed), Object.values(renamed)];
  assertKnown(path, named.flat(), fields);
  const recordFields = fieldsOfList(procedure);
  if (recordFields !== null && columns === undefined) throw new Error(`${path} is a list and needs columns`);
  assertKnown(path, columns ?? [], recordFields ?? []);
  const argumentOf = (field: string) => Object.keys(renamed).find((argument) => renamed[argument] === field) ?? field;
  const isPaged = recordFields !== null && fields.includes('page');
  const isArgument = (field: string) =>
    !(field in fixed) &&
    !omits.includes(field) &&
    !(CONTROLS as readonly string[]).includes(field) &&
    !(isPaged && (PAGE_FIELDS.includes(field) || (RARE_FIELDS.includes(field) && !offers.includes(field))));
  return {
    name,
    procedure,
    access,
    takes: (takes ?? fields).filter(isArgument).map(argumentOf),
    isPaged,
    fieldOf: (argument) => renamed[argument] ?? argument,
    untyped,
    unlisted,
    renamed,
    fixed,
    hides,
    columns: columns ?? null,
    beside: Object.entries(beside).map(([result, read]) => ({ name: result, ...read })),
    page,
    effects: destructive === undefined || idempotent === undefined ? null : { destructive, idempotent },
  };
}

function accessOf(path: ProcedurePath): NonNullable<Meta['access']> {
  const { access } = getProcedure(path).meta;
  if (!access) throw new Error(`${path} declares no permission`);
  return access;
}

function assertKnown(path: ProcedurePath, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${path} has no field ${unknown}`);
}

/** Returns the names of the fields of a list's records, or null if the procedure does not return a list of records. */
export function fieldsOfList({ output }: Procedure): string[] | null {
  const data = output instanceof z.ZodObject ? (output.shape as Record<string, z.ZodType>)['data'] : undefined;
  if (!(data instanceof z.ZodArray) || !(data.element instanceof z.ZodObject)) return null;
  return Object.keys(data.element.shape);
}
