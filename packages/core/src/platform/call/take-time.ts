import { laterOf, toInstant } from '../time/instant.ts';
import type { Ctx } from './context.ts';

/**
 * Sets the time of a change to the present, after a lock was taken. A change that waited for a lock would otherwise carry a time at which
 * others could not see it yet, and a poller that asks for changes since its last poll would never see it (docs/domain-rules.md#time).
 */
export function takeTime(ctx: Pick<Ctx, 'now' | 'clock'>): void {
  ctx.now = laterOf(ctx.now, toInstant(ctx.clock.now()));
}
