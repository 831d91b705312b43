import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that wait for programs and browsers that they start. */
const WAITING = /^test\/(faults|readme|app|web)\/|^test\/mcp\/(stdio|program)\./;

/** Starts the waiting files first: other files use the processors meanwhile, and no slow file runs alone at the end. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(relative(this.ctx.config.root, moduleId));
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
