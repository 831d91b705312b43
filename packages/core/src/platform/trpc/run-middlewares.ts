import { getTRPCErrorFromUnknown } from '@trpc/server';
import { type MiddlewareResult, middlewareMarker } from '@trpc/server/unstable-core-do-not-import';

/** The middlewares of a procedure. Each one runs the next, and the last one is the resolver. */
export interface Middlewares {
  middlewares: readonly Middleware[];
}

type Middleware = (options: Options & { next: (changes?: Changes) => Promise<Result> }) => Promise<Result>;
type Result = MiddlewareResult<object>;
type Changes = Partial<Pick<Options, 'ctx' | 'input' | 'getRawInput'>>;

interface Options {
  ctx: object;
  path: string;
  type: string;
  meta: object;
  input: unknown;
  getRawInput: () => Promise<unknown>;
  signal: undefined;
  batchIndex: number;
}

/**
 * Runs a procedure as tRPC's own caller does, but faster. tRPC's caller copies options and context property by property at every step, which
 * takes a tenth of the time of a read.
 *
 * @throws TRPCError
 */
export async function runMiddlewares(middlewares: Middlewares['middlewares'], options: Options): Promise<unknown> {
  const result = await runFrom(0, middlewares, options);
  if (!result.ok) throw result.error;
  return result.data;
}

async function runFrom(index: number, middlewares: Middlewares['middlewares'], options: Options): Promise<Result> {
  const next = (changes: Changes = {}) =>
    runFrom(index + 1, middlewares, {
      ...options,
      ctx: changes.ctx ? { ...options.ctx, ...changes.ctx } : options.ctx,
      input: 'input' in changes ? changes.input : options.input,
      getRawInput: changes.getRawInput ?? options.getRawInput,
    });
  try {
    return await middlewares[index]!({ ...options, next });
  } catch (cause) {
    return { ok: false, error: getTRPCErrorFromUnknown(cause), marker: middlewareMarker };
  }
}
