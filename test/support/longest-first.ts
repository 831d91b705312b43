import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the longest files take in `.ci/run` on two processors. A fresh clone has no results of an earlier run, and the size of a file says
 * little: some wait for programs, browsers and deadlines, some try hundreds of inputs.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/web/program.test.ts': 36,
  'test/web/portal.test.ts': 32,
  'test/web/pages.test.ts': 30,
  'test/web/payouts.test.ts': 25,
  'test/app/backup.test.ts': 22,
  'test/readme/commands.test.ts': 20,
  'test/faults/silent-connections.test.ts': 20,
  'test/web/merchant-days.test.ts': 18,
  'test/faults/embedded-postgres.test.ts': 18,
  'test/faults/storm/storm.test.ts': 17,
  'test/web/people.test.ts': 16,
  'test/web/setup.test.ts': 15,
  'test/psp/promo-code-faults.test.ts': 15,
  'test/web/analytics.test.ts': 14,
  'test/web/payment-provider.test.ts': 14,
  'test/contract/bad-input.test.ts': 14,
  'test/app/production-build.test.ts': 12,
  'test/app/lifetime.test.ts': 12,
  'test/web/tracking-script.test.ts': 11,
  'test/psp/refund-events.test.ts': 11,
  'test/app/command-line.test.ts': 10,
  'test/faults/program-killed.test.ts': 10,
  'test/web/unusual-content.test.ts': 9,
  'test/web/consent.test.ts': 9,
  'test/psp/event-order.test.ts': 9,
  'test/payouts/large-exports.test.ts': 9,
  'test/web/webhooks.test.ts': 9,
  'test/rest/analytics.test.ts': 8,
  'test/web/credentials.test.ts': 7,
  'test/payouts/invariants.test.ts': 7,
  'test/portal/leaks.test.ts': 7,
  'test/payouts/reconcile.test.ts': 6,
  'test/payouts/previews.test.ts': 6,
  'test/mcp/previews.test.ts': 6,
  'test/architecture/imports.test.ts': 6,
  'test/people/roles.test.ts': 5,
  'test/people/second-factor.test.ts': 5,
  'test/rest/commission-counts.test.ts': 5,
  'test/psp/affiliate-coupon.test.ts': 5,
  'test/mcp/oauth-tokens.test.ts': 5,
  'test/contract/tenants.test.ts': 5,
  'test/app/drain.test.ts': 5,
  'test/app/maintenance.test.ts': 5,
  'test/mcp/oauth-consent.test.ts': 5,
  'test/rest/lists.test.ts': 5,
  'test/psp/same-sale-twice.test.ts': 5,
  'test/contract/bad-arguments.test.ts': 5,
  'test/faults/migrations.test.ts': 4,
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
