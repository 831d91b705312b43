import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the longest files take in `.ci/run` on two processors. A fresh clone has no results of an earlier run, and the size of a file says
 * little: some wait for programs, browsers and deadlines, some try hundreds of inputs.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/web/pages.test.ts': 53,
  'test/web/program.test.ts': 42,
  'test/web/portal.test.ts': 37,
  'test/faults/embedded-postgres.test.ts': 21,
  'test/app/backup.test.ts': 20,
  'test/web/payouts.test.ts': 18,
  'test/faults/storm/storm.test.ts': 18,
  'test/readme/commands.test.ts': 16,
  'test/app/lifetime.test.ts': 15,
  'test/psp/promo-code-faults.test.ts': 13,
  'test/faults/silent-connections.test.ts': 13,
  'test/web/analytics.test.ts': 13,
  'test/web/people.test.ts': 11,
  'test/web/unusual-content.test.ts': 10,
  'test/app/production-build.test.ts': 10,
  'test/psp/refund-events.test.ts': 10,
  'test/payouts/large-exports.test.ts': 9,
  'test/web/tracking-script.test.ts': 9,
  'test/faults/program-killed.test.ts': 9,
  'test/web/consent.test.ts': 9,
  'test/app/command-line.test.ts': 9,
  'test/payouts/invariants.test.ts': 8,
  'test/contract/bad-input.test.ts': 8,
  'test/rest/merged-shared-referrals.test.ts': 8,
  'test/psp/event-order.test.ts': 8,
  'test/mcp/previews.test.ts': 7,
  'test/web/setup.test.ts': 6,
  'test/web/webhooks.test.ts': 6,
  'test/rest/analytics.test.ts': 6,
  'test/web/merchant-days.test.ts': 6,
  'test/architecture/imports.test.ts': 6,
  'test/app/maintenance.test.ts': 6,
  'test/people/roles.test.ts': 6,
  'test/payouts/modes.test.ts': 5,
  'test/mcp/oauth-consent.test.ts': 5,
  'test/payouts/previews.test.ts': 5,
  'test/psp/affiliate-coupon.test.ts': 5,
  'test/rest/clicks.test.ts': 5,
  'test/portal/leaks.test.ts': 5,
  'test/mcp/oauth-tokens.test.ts': 5,
  'test/mcp/stdio.test.ts': 5,
  'test/web/credentials.test.ts': 5,
};

/** Starts the longest files first, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const gone = Object.keys(SECONDS).filter((path) => !existsSync(join(root, path)));
    if (gone.length > 0) throw new Error(`test/support/longest-first.ts names ${gone.join(', ')}, which is not there.`);
    const seconds = ({ moduleId }: TestSpecification) => SECONDS[relative(root, moduleId)] ?? 0;
    return (await super.sort(files)).toSorted((one, other) => seconds(other) - seconds(one));
  }
}
