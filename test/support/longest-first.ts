import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the longest test files take in `.ci/run` on two processors. Listed here, because a fresh clone has no earlier results, and the size of
 * a file says little: some files wait for programs, browsers and deadlines, others try hundreds of inputs.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/web/program.test.ts': 39,
  'test/web/pages.test.ts': 36,
  'test/web/portal.test.ts': 29,
  'test/app/backup.test.ts': 25,
  'test/readme/commands.test.ts': 24,
  'test/faults/embedded-postgres.test.ts': 24,
  'test/faults/storm/storm.test.ts': 17,
  'test/web/payouts.test.ts': 16,
  'test/app/lifetime.test.ts': 14,
  'test/faults/silent-connections.test.ts': 13,
  'test/psp/promo-code-faults.test.ts': 13,
  'test/psp/event-order.test.ts': 8,
  'test/web/analytics.test.ts': 8,
  'test/faults/program-killed.test.ts': 8,
  'test/app/command-line.test.ts': 7,
  'test/web/people.test.ts': 7,
  'test/rest/analytics.test.ts': 7,
  'test/people/roles.test.ts': 7,
  'test/app/production-build.test.ts': 7,
  'test/web/tracking-script.test.ts': 7,
  'test/web/consent.test.ts': 7,
  'test/web/merchant-days.test.ts': 7,
  'test/web/unusual-content.test.ts': 6,
  'test/web/setup.test.ts': 6,
  'test/web/webhooks.test.ts': 6,
  'test/app/maintenance.test.ts': 5,
  'test/payouts/invariants.test.ts': 5,
  'test/mcp/previews.test.ts': 5,
  'test/hostile/merging-races.test.ts': 5,
  'test/rest/merged-shared-referrals.test.ts': 5,
  'test/portal/leaks.test.ts': 5,
  'test/mcp/stdio.test.ts': 5,
  'test/psp/affiliate-coupon.test.ts': 5,
  'test/app/doctor.test.ts': 5,
  'test/contract/bad-input.test.ts': 5,
  'test/portal/appearance.test.ts': 5,
  'test/psp/refund-events.test.ts': 4,
  'test/mcp/oauth-tokens.test.ts': 4,
  'test/architecture/imports.test.ts': 4,
  'test/payouts/large-exports.test.ts': 4,
};

/** Starts the longest files first, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const gone = Object.keys(SECONDS).filter((path) => !existsSync(join(root, path)));
    if (gone.length > 0)
      throw new Error(`test/support/longest-first.ts names files that do not exist: ${gone.join(', ')}. Remove them.`);
    const seconds = ({ moduleId }: TestSpecification) => SECONDS[relative(root, moduleId)] ?? 0;
    return (await super.sort(files)).toSorted((one, other) => seconds(other) - seconds(one));
  }
}
