import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the longest test files take in `.ci/run` on two processors. Listed here, because a fresh clone has no earlier results, and the size of
 * a file says little: some files wait for programs, browsers and deadlines, others try hundreds of inputs.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/psp/event-order.test.ts': 50,
  'test/hostile/memory.test.ts': 38,
  'test/web/program.test.ts': 37,
  'test/web/payment-provider.test.ts': 20,
  'test/web/pages.test.ts': 19,
  'test/app/backup.test.ts': 18,
  'test/hostile/loads.test.ts': 17,
  'test/psp/stripe-as-used.test.ts': 16,
  'test/app/remote-commands.test.ts': 15,
  'test/psp/payment-of-two-sales.test.ts': 15,
  'test/psp/write-back.test.ts': 14,
  'test/mcp/conformance.test.ts': 13,
  'test/faults/program-killed.test.ts': 12,
  'test/faults/refresh-killed.test.ts': 12,
  'test/faults/silent-connections.test.ts': 12,
  'test/web/payouts.test.ts': 12,
  'test/clients/packed-client.test.ts': 11,
  'test/psp/promo-code-faults.test.ts': 11,
  'test/web/portal.test.ts': 11,
  'test/mail/fair-mail.test.ts': 10,
  'test/readme/commands.test.ts': 10,
  'test/app/demo.test.ts': 9,
  'test/faults/embedded-postgres.test.ts': 9,
  'test/mcp/preview-tokens.test.ts': 9,
  'test/web/analytics.test.ts': 9,
  'test/web/webhooks.test.ts': 9,
  'test/app/bench-requests.test.ts': 8,
  'test/app/lifetime.test.ts': 8,
  'test/clients/sdk.test.ts': 8,
  'test/faults/storm/storm.test.ts': 8,
  'test/payouts/returns.test.ts': 8,
  'test/psp/documented-ways.test.ts': 8,
  'test/web/newcomer.test.ts': 8,
  'test/psp/named-referrals.test.ts': 7,
  'test/rewards/late-tier-facts.test.ts': 7,
  'test/rewards/payments-undone.test.ts': 7,
  'test/web/amounts.test.ts': 7,
  'test/app/production-build.test.ts': 6,
  'test/app/schema-of-another-build.test.ts': 6,
  'test/mcp/consented-access.test.ts': 6,
  'test/people/roles.test.ts': 6,
  'test/privacy/erased-customers.test.ts': 6,
  'test/rest/program-resources.test.ts': 6,
  'test/rest/sale-cost.test.ts': 6,
  'test/rest/uploads.test.ts': 6,
  'test/webhooks/processes.test.ts': 6,
  'test/psp/disputes.test.ts': 5,
  'test/readme/first-change.test.ts': 5,
  'test/rewards/late-sales.test.ts': 5,
  'test/web/german.test.ts': 5,
  'test/web/merchant-days.test.ts': 5,
  'test/web/setup.test.ts': 5,
  'test/app/command-line.test.ts': 4,
  'test/app/maintenance.test.ts': 4,
  'test/contract/bad-input.test.ts': 4,
  'test/faults/migrations.test.ts': 4,
  'test/faults/outage.test.ts': 4,
  'test/mcp/previews.test.ts': 4,
  'test/modes/foreign-test-records.test.ts': 4,
  'test/payouts/failing-payouts.test.ts': 4,
  'test/payouts/large-exports.test.ts': 4,
  'test/psp/excluded-payments.test.ts': 4,
  'test/psp/ties.test.ts': 4,
  'test/rest/analytics.test.ts': 4,
  'test/rest/due-dates.test.ts': 4,
  'test/rewards/paid-rewards.test.ts': 4,
  'test/web/payouts-view.test.ts': 4,
  'test/web/people.test.ts': 4,
  'test/web/test-mode.test.ts': 4,
  'test/web/tracking-script.test.ts': 4,
  'test/web/unusual-content.test.ts': 4,
  'test/webhooks/receiver-health.test.ts': 4,
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
