import { type AppRouter, type CallContext, type Meta, appRouter, createCallerFactory } from '@affiliate/core';
import type { AnyTRPCProcedure, inferRouterInputs } from '@trpc/server';
import type { z } from 'zod';

type Inputs = inferRouterInputs<AppRouter>;

/** Every procedure of the service by its path in the router, e.g. `campaigns.update`. */
export type ProcedurePath = {
  [Feature in keyof Inputs]: `${Feature}.${Extract<keyof Inputs[Feature], string>}`;
}[keyof Inputs];

export interface Procedure {
  path: ProcedurePath;
  type: 'query' | 'mutation';
  access: NonNullable<Meta['access']>;
  input: z.ZodObject;
  output: z.ZodType;
}

/** What a procedure declares about itself: the schemas and the permission that every door shares. */
export function procedureAt(path: ProcedurePath): Procedure {
  const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>;
  const { type, meta, inputs, output } = procedures[path]!._def as unknown as {
    type: Procedure['type'];
    meta: Meta;
    inputs: z.ZodObject[];
    output: z.ZodType;
  };
  const { access } = meta;
  if (!access) throw new Error(`${path} declares no permission`);
  return { path, type, access, input: inputs[0]!, output };
}

const createCaller = createCallerFactory(appRouter);

export async function callProcedure(path: ProcedurePath, context: CallContext, input: unknown): Promise<unknown> {
  const [feature, name] = path.split('.') as [string, string];
  const caller = createCaller(context) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  return caller[feature]![name]!(input);
}
