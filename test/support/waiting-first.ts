import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests wait for programs and browsers that they start. */
const WAITING = /^test\/(faults|readme|app|web)\/|^test\/mcp\/(stdio|program)\./;

/** Starts what waits first: beside it there is always work for the processors, and no slow file is the last one alone. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(relative(this.ctx.config.root, moduleId));
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}
