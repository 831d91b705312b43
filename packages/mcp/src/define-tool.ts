import { type Meta, type MutationPath, type Procedure, type ProcedurePath, type QueryPath, getProcedure } from '@affiliate/core';
import { z } from 'zod';

/** A tool for one resource. Each action is one procedure, which provides the schemas and the permission. */
export interface ToolDefinition {
  name: string;
  title: string;
  /** Description for the assistant: the tool's purpose, and which action to use when. Under 1,000 characters. */
  description: string;
  actions: Readonly<Record<string, ReadAction | WriteAction>>;
  /** True if the tool affects systems outside the service: the payment provider or an inbox. */
  openWorld?: boolean;
}

type ReadAction = QueryPath | (Arguments & { procedure: QueryPath; destructive?: never; idempotent?: never });

/** Every write must declare its effects, because a default could be wrong for an action that moves money. */
interface WriteAction extends Arguments {
  procedure: MutationPath;
  /** True if the action moves money, or cannot be reverted by another call. */
  destructive: boolean;
  /** True if repeating a call with the same arguments certainly has no further effect. */
  idempotent: boolean;
}

interface Arguments {
  /** Fields of the procedure's input that are arguments of this action. Default: all fields. */
  takes?: readonly string[];
  /** Fields that are not offered as arguments, to keep the tool small. */
  omits?: readonly string[];
  /**
   * Maps an argument to its field where the names differ: `{ id: 'payout_export_id' }` passes the argument `id` as the
   * field `payout_export_id`. `takes` lists the names of fields.
   */
  renamed?: Readonly<Record<string, string>>;
  /** Fields of the procedure's input with a fixed value for this action. */
  fixed?: Readonly<Record<string, unknown>>;
}

export interface Action {
  name: string;
  procedure: Procedure;
  access: NonNullable<Meta['access']>;
  /** Names of the arguments. */
  takes: readonly string[];
  /** Returns the name of the field of the procedure's input that an argument sets. */
  fieldOf: (argument: string) => string;
  /** Maps the name of an argument to the name of its field, where these differ. */
  renamed: Readonly<Record<string, string>>;
  fixed: Readonly<Record<string, unknown>>;
  /** Null for an action that only reads. */
  effects: { destructive: boolean; idempotent: boolean } | null;
}

export interface Tool extends Omit<ToolDefinition, 'actions'> {
  actions: readonly Action[];
}

/** Arguments that belong to the tools themselves, not to the procedure's input. */
export const CONTROLS = ['action', 'dry_run', 'idempotency_key', 'cursor'] as const;

/**
 * Defines a tool.
 *
 * @throws when the module is loaded, for a procedure without a permission (which is public and not for connectors), for a
 *   procedure without a result, and for a field that the procedure's input does not have
 */
export function defineTool({ actions, ...tool }: ToolDefinition): Tool {
  return {
    ...tool,
    actions: Object.entries(actions).map(([name, action]) =>
      typeof action === 'string' ? defineAction(name, { procedure: action }) : defineAction(name, action),
    ),
  };
}

interface AnyAction extends Arguments {
  procedure: ProcedurePath;
  destructive?: boolean;
  idempotent?: boolean;
}

function defineAction(
  name: string,
  { procedure: path, takes, omits = [], renamed = {}, fixed = {}, destructive, idempotent }: AnyAction,
): Action {
  const procedure = getProcedure(path);
  const { access } = procedure.meta;
  if (!access) throw new Error(`${path} declares no permission`);
  if (procedure.output instanceof z.ZodVoid) throw new Error(`${path} returns nothing to show in a preview`);
  const fields = Object.keys(procedure.input.shape);
  const unknown = [...(takes ?? []), ...omits, ...Object.keys(fixed), ...Object.values(renamed)].find(
    (field) => !fields.includes(field),
  );
  if (unknown !== undefined) throw new Error(`${path} has no field ${unknown}`);
  const argumentOf = (field: string) => Object.keys(renamed).find((argument) => renamed[argument] === field) ?? field;
  const isArgument = (field: string) =>
    !(field in fixed) && !omits.includes(field) && !(CONTROLS as readonly string[]).includes(field);
  return {
    name,
    procedure,
    access,
    takes: (takes ?? fields).filter(isArgument).map(argumentOf),
    fieldOf: (argument) => renamed[argument] ?? argument,
    renamed,
    fixed,
    effects: destructive === undefined || idempotent === undefined ? null : { destructive, idempotent },
  };
}

/** Arguments that set the order of a list, or limit it to a range of time. Most tools omit them to stay small. */
export const RANGES = ['sort', 'created_since', 'created_until'] as const;
/** `RANGES`, and the arguments that limit a list to a range of amounts. */
export const AMOUNTS = [...RANGES, 'currency', 'amount_from_cents', 'amount_to_cents'] as const;
