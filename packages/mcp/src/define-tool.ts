import { z } from 'zod';
import { type Procedure, type ProcedurePath, procedureAt } from './procedures.ts';

/** What assistants may ask of one resource: each action is one procedure, which brings its own schemas and permission. */
export interface ToolDefinition {
  name: string;
  title: string;
  /** What the resource is and when to use which action; under 1,000 characters. */
  description: string;
  actions: Readonly<Record<string, ProcedurePath | ActionDefinition>>;
  /** Whether it reaches beyond the service, to the payment provider or somebody's inbox. */
  openWorld?: boolean;
}

interface ActionDefinition {
  procedure: ProcedurePath;
  /** Fields of the procedure's input that are arguments of this action; all of them when missing. */
  takes?: readonly string[];
  /** Fields of the procedure's input that the action itself sets. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Moves money, or takes away what cannot be had back by another call. */
  destructive?: boolean;
  /** Whether a second call with the same arguments changes nothing more; true when missing. */
  idempotent?: boolean;
}

export interface Action {
  name: string;
  procedure: Procedure;
  takes: readonly string[];
  fixed: Readonly<Record<string, unknown>>;
  destructive: boolean;
  idempotent: boolean;
}

export interface Tool extends Omit<ToolDefinition, 'actions'> {
  actions: readonly Action[];
}

/** Arguments of every tool, which are not fields of a procedure's input. */
export const CONTROLS = ['action', 'dry_run', 'idempotency_key'] as const;

/** Makes a tool. Throws, when the module is loaded, for a field that the procedure does not have, or a procedure without a result. */
export function defineTool({ actions, ...tool }: ToolDefinition): Tool {
  return {
    ...tool,
    actions: Object.entries(actions).map(([name, action]) =>
      defineAction(name, typeof action === 'string' ? { procedure: action } : action),
    ),
  };
}

function defineAction(name: string, { procedure: path, fixed = {}, ...definition }: ActionDefinition): Action {
  const procedure = procedureAt(path);
  const fields = Object.keys(procedure.input.shape);
  const unknown = [...(definition.takes ?? []), ...Object.keys(fixed)].find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new Error(`${path} has no field ${unknown}`);
  if (procedure.output instanceof z.ZodVoid) throw new Error(`${path} returns nothing that a preview could show`);
  const isArgument = (field: string) => !(field in fixed) && !(CONTROLS as readonly string[]).includes(field);
  return {
    name,
    procedure,
    takes: (definition.takes ?? fields).filter(isArgument),
    fixed,
    destructive: definition.destructive ?? false,
    idempotent: definition.idempotent ?? true,
  };
}
