import { type AnyTRPCProcedure, callTRPCProcedure } from '@trpc/server';
import { z } from 'zod';
import type { CallContext } from './platform/call/context.ts';
import type { Meta } from './platform/trpc/meta.ts';
import { type AppRouter, appRouter } from './router.ts';

type Rooms = AppRouter['_def']['record'];

/** Paths of the procedures of one type, e.g. `campaigns.update`. */
type PathOf<Type extends Procedure['type']> = {
  [Room in keyof Rooms]: {
    [Name in keyof Rooms[Room] & string]: Rooms[Room][Name] extends { _def: { type: Type } } ? `${Room}.${Name}` : never;
  }[keyof Rooms[Room] & string];
}[keyof Rooms];

export type QueryPath = PathOf<'query'>;
export type MutationPath = PathOf<'mutation'>;
export type ProcedurePath = QueryPath | MutationPath;

/** An operation of the service, with its declarations. */
export interface Procedure {
  path: ProcedurePath;
  type: 'query' | 'mutation';
  meta: Meta;
  /** Has no fields for a procedure without input. */
  input: z.ZodObject;
  /** The rule for an input: the caller must, may, or cannot pass it. */
  passing: 'required' | 'optional' | 'none';
  output: z.ZodType;
}

/** tRPC's own record of every procedure. Its types hide the schemas. */
const procedures = appRouter._def.procedures as unknown as Record<ProcedurePath, AnyTRPCProcedure>;

/** All operations of the service, in the order of the router. */
export const PROCEDURES: readonly Procedure[] = Object.entries(procedures).map(([path, { _def }]) => {
  const { inputs, output } = _def as unknown as { inputs: (z.ZodObject | z.ZodOptional<z.ZodObject>)[]; output?: z.ZodType };
  const [declared, ...more] = inputs;
  if (more.length > 0) throw new Error(`${path} declares more than one input.`);
  if (!output) throw new Error(`${path} declares no output.`);
  return {
    path: path as ProcedurePath,
    type: _def.type as Procedure['type'],
    meta: _def.meta as Meta,
    input: declared instanceof z.ZodOptional ? declared.unwrap() : (declared ?? z.strictObject({})),
    passing: declared === undefined ? 'none' : declared instanceof z.ZodOptional ? 'optional' : 'required',
    output,
  };
});

const BY_PATH: ReadonlyMap<string, Procedure> = new Map(PROCEDURES.map((procedure) => [procedure.path, procedure]));

/** Returns the procedure with this path, or null. */
export function findProcedure(path: string): Procedure | null {
  return BY_PATH.get(path) ?? null;
}

/** Returns the procedure with this path. */
export function getProcedure(path: ProcedurePath): Procedure {
  return BY_PATH.get(path)!;
}

/** Calls a procedure by its path. Returns its output, and throws its errors. */
export function callProcedure(ctx: CallContext, path: ProcedurePath, input: unknown): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path,
    type: getProcedure(path).type,
    ctx,
    getRawInput: () => Promise.resolve(input),
    signal: undefined,
    batchIndex: 0,
  });
}
