import type { Services } from '../platform/call/context.ts';
import { advanceBatches } from './batches/advance-batches.ts';
import { EXPORTS } from './exports/pay-export.ts';
import { RUNS } from './runs/run-work.ts';

/** The producers of batches that are paid in steps, by the kind of their batches. */
const PRODUCERS = new Map([EXPORTS, RUNS].map((producer) => [producer.kind as string, producer]));

/** Does the remaining work of all runs and exports (`advanceBatches`). */
export function advancePayoutBatches(services: Services, mustStop: () => boolean = () => false): Promise<void> {
  return advanceBatches(services, PRODUCERS, mustStop);
}
