import { laterOf, toInstant } from '../time/instant.ts';
import type { Ctx } from './context.ts';

/**
 * Sets the time of a change to the current time, after a lock was taken. Otherwise a change that waited for the lock would have a time
 * before the wait, and a poller that has already read all changes up to a later time would never see the change
 * (docs/rules/platform.md#time).
 */
export function takeTime(ctx: Pick<Ctx, 'now' | 'clock'>): void {
  ctx.now = laterOf(ctx.now, toInstant(ctx.clock.now()));
}
