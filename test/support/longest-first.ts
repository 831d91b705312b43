import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds that the longest test files take in `.ci/run` on two processors. Listed here, because a fresh clone has no earlier results, and the size of
 * a file says little: some files wait for programs, browsers and deadlines, others try hundreds of inputs.
 */
const SECONDS: Readonly<Record<string, number>> = {
  'test/web/program.test.ts': 41,
  'test/web/pages.test.ts': 24,
  'test/web/payment-provider.test.ts': 22,
  'test/psp/stripe-as-used.test.ts': 21,
  'test/app/backup.test.ts': 20,
  'test/hostile/loads.test.ts': 20,
  'test/mcp/conformance.test.ts': 20,
  'test/psp/documented-ways.test.ts': 19,
  'test/web/portal.test.ts': 19,
  'test/app/remote-commands.test.ts': 18,
  'test/psp/missing-referrals.test.ts': 18,
  'test/psp/write-back.test.ts': 16,
  'test/readme/commands.test.ts': 16,
  'test/payouts/failing-payouts.test.ts': 15,
  'test/psp/excluded-payments.test.ts': 15,
  'test/clients/packed-client.test.ts': 14,
  'test/psp/payment-of-two-sales.test.ts': 14,
  'test/app/bench-requests.test.ts': 13,
  'test/faults/embedded-postgres.test.ts': 13,
  'test/psp/ties.test.ts': 13,
  'test/rest/uploads.test.ts': 13,
  'test/rewards/late-tier-facts.test.ts': 13,
  'test/readme/first-change.test.ts': 12,
  'test/rest/program-resources.test.ts': 12,
  'test/rewards/worth.test.ts': 12,
  'test/faults/program-killed.test.ts': 11,
  'test/mcp/consent-walk.test.ts': 11,
  'test/psp/disputes.test.ts': 11,
  'test/web/payouts.test.ts': 11,
  'test/faults/silent-connections.test.ts': 10,
  'test/rest/sale-cost.test.ts': 10,
  'test/web/amounts.test.ts': 10,
  'test/app/demo.test.ts': 9,
  'test/app/schema-before-baseline.test.ts': 9,
  'test/clients/sdk.test.ts': 9,
  'test/mcp/preview-tokens.test.ts': 9,
  'test/payouts/previews.test.ts': 9,
  'test/people/roles.test.ts': 9,
  'test/psp/event-order.test.ts': 9,
  'test/psp/named-referrals.test.ts': 9,
  'test/app/lifetime.test.ts': 8,
  'test/app/production-build.test.ts': 8,
  'test/payouts/returns.test.ts': 8,
  'test/psp/promo-code-faults.test.ts': 8,
  'test/rest/credentials.test.ts': 8,
  'test/rest/cursors.test.ts': 8,
  'test/web/merchant-days.test.ts': 8,
  'test/web/webhooks.test.ts': 8,
  'test/app/command-line.test.ts': 7,
  'test/app/jobs.test.ts': 7,
  'test/faults/refresh-killed.test.ts': 7,
  'test/modes/key-without-mode.test.ts': 7,
  'test/psp/payment-events.test.ts': 7,
  'test/psp/same-sale-twice.test.ts': 7,
  'test/rest/due-dates.test.ts': 7,
  'test/rest/merchant-data.test.ts': 7,
  'test/web/analytics.test.ts': 7,
  'test/web/consent.test.ts': 7,
  'test/webhooks/processes.test.ts': 7,
  'test/contract/bad-input.test.ts': 6,
  'test/contract/served.test.ts': 6,
  'test/mail/fair-mail.test.ts': 6,
  'test/mcp/overview.test.ts': 6,
  'test/payouts/exports.test.ts': 6,
  'test/people/example.test.ts': 6,
  'test/web/connect-assistant.test.ts': 6,
  'test/web/newcomer.test.ts': 6,
  'test/web/payouts-view.test.ts': 6,
  'test/web/people.test.ts': 6,
  'test/mcp/evals/evals.test.ts': 6,
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
