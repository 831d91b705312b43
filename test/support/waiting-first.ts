import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that wait for programs and browsers that they start. */
const WAITING = /^test\/(faults|readme|app|web)\/|^test\/mcp\/(stdio|program)\./;
/** Small files that take long. Without results of an earlier run, vitest starts the largest files first. */
const LONG = /^test\/(payouts\/invariants|contract\/bad-\w+|psp\/(event-order|promo-code-faults)|people\/roles|portal\/leaks)\./;

/** Starts the waiting files first and the long ones after them: other files use the processors meanwhile, and no slow file runs alone at the end. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId);
      return WAITING.test(path) ? 0 : LONG.test(path) ? 1 : 2;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
