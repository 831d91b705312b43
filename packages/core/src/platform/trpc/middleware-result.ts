import { type TRPCMiddlewareFunction, initTRPC } from '@trpc/server';
import { z } from 'zod';

/** The value that a middleware gets from `next` and must return. */
export type MiddlewareResult<Overrides> = Awaited<
  ReturnType<TRPCMiddlewareFunction<object, object | undefined, object, Overrides, unknown>>
>;

interface Wanted {
  data: unknown;
  take: (result: MiddlewareResult<object>) => void;
}

const t = initTRPC.create();

const caller = t.createCallerFactory(
  t.router({
    returning: t.procedure
      .input(z.custom<Wanted>())
      .use(async ({ input, next }) => {
        const result = await next();
        input.take(result);
        return result;
      })
      .query(({ input }) => input.data),
  }),
)({});

/**
 * Makes the result that `next` would return if the procedure returned `data`, for a middleware that answers without running the procedure: a stored
 * response that is replayed. Only tRPC makes such results, so this one comes from a procedure that returns `data`.
 */
export async function resultOf<Overrides>(data: unknown): Promise<MiddlewareResult<Overrides>> {
  const taken = Promise.withResolvers<MiddlewareResult<object>>();
  await caller.returning({ data, take: taken.resolve });
  return await taken.promise;
}
