import { type Meta, type MutationPath, type Procedure, type ProcedurePath, type QueryPath, getProcedure } from '@affiliate/core';
import { z } from 'zod';

/** What assistants may do with one resource. Each action is one procedure, which brings its own schemas and permission. */
export interface ToolDefinition {
  name: string;
  title: string;
  /** Explains the resource, and when to use which action; under 1,000 characters. */
  description: string;
  actions: Readonly<Record<string, ReadAction | WriteAction>>;
  /** Whether it reaches beyond the service: the payment provider, or a person's inbox. */
  openWorld?: boolean;
}

type ReadAction = QueryPath | (Arguments & { procedure: QueryPath; destructive?: never; idempotent?: never });

/** Every write states its effects: a default would be a guess about somebody's money. */
interface WriteAction extends Arguments {
  procedure: MutationPath;
  /** Moves money, or takes away something that no other call restores. */
  destructive: boolean;
  /** A second call with the same arguments has no further effect. False where that is not certain. */
  idempotent: boolean;
}

interface Arguments {
  /** Fields of the procedure's input that are arguments of this action; all of them when missing. */
  takes?: readonly string[];
  /** Fields of the procedure's input that the action itself sets. */
  fixed?: Readonly<Record<string, unknown>>;
}

export interface Action {
  name: string;
  procedure: Procedure;
  access: NonNullable<Meta['access']>;
  takes: readonly string[];
  fixed: Readonly<Record<string, unknown>>;
  /** Null for an action that only reads. */
  effects: { destructive: boolean; idempotent: boolean } | null;
}

export interface Tool extends Omit<ToolDefinition, 'actions'> {
  actions: readonly Action[];
}

/** Arguments of every tool; not fields of a procedure's input. */
export const CONTROLS = ['action', 'dry_run', 'idempotency_key'] as const;

/**
 * Makes a tool.
 *
 * @throws when the module is loaded: for a procedure without a permission (anyone may call it, so it is no business of a
 *   connector), for one without a result, and for a field that its input does not have
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

function defineAction(name: string, { procedure: path, takes, fixed = {}, destructive, idempotent }: AnyAction): Action {
  const procedure = getProcedure(path);
  const { access } = procedure.meta;
  if (!access) throw new Error(`${path} declares no permission`);
  if (procedure.output instanceof z.ZodVoid) throw new Error(`${path} returns nothing that a preview could show`);
  const fields = Object.keys(procedure.input.shape);
  const unknown = [...(takes ?? []), ...Object.keys(fixed)].find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new Error(`${path} has no field ${unknown}`);
  const isArgument = (field: string) => !(field in fixed) && !(CONTROLS as readonly string[]).includes(field);
  return {
    name,
    procedure,
    access,
    takes: (takes ?? fields).filter(isArgument),
    fixed,
    effects: destructive === undefined || idempotent === undefined ? null : { destructive, idempotent },
  };
}
