import type { Ctx } from '../call/context.ts';

/** Returns the context of a call. A dry run is a preview and ignores the Idempotency-Key. */
export function unlessDry(ctx: Ctx, isDry: boolean): Ctx {
  return isDry ? { ...ctx, idempotencyKey: undefined, preview: ctx.preview ?? { events: [] } } : ctx;
}
