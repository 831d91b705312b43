import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SECONDS } from './longest-first.ts';
import { THOROUGH } from './thorough.ts';

/**
 * The suites that take turns. Every other suite is in every run: the main stories of each subject, the contract, permissions, modes, and the laws of the
 * architecture.
 */
const TURNS: readonly { every: number; suites: readonly string[] }[] = [
  {
    // Suites that start programs, browsers and packages, or load a process: they repeat over a page or a process what others try in one process.
    every: 8,
    suites: [
      'test/app/',
      'test/clients/',
      'test/deploy/',
      'test/faults/',
      'test/hostile/',
      'test/imports/',
      'test/web/',
      'test/mail/fair-mail.test.ts',
      'test/mcp/conformance.test.ts',
      'test/payouts/large-exports.test.ts',
      'test/payouts/rails/stories.test.ts',
      'test/psp/payment-of-two-sales.test.ts',
      'test/psp/stripe-as-used.test.ts',
      'test/psp/write-back.test.ts',
      'test/readme/first-change.test.ts',
      'test/rest/program-resources.test.ts',
      'test/rest/sale-cost.test.ts',
      'test/rest/uploads.test.ts',
      'test/webhooks/processes.test.ts',
    ],
  },
  {
    // Long suites of many variants of a rule.
    every: 4,
    suites: [
      'test/contract/bad-arguments.test.ts',
      'test/contract/examples.test.ts',
      'test/contract/odd-instants.test.ts',
      'test/contract/served.test.ts',
      'test/mail/logged-mail.test.ts',
      'test/mcp/consent-walk.test.ts',
      'test/mcp/consented-access.test.ts',
      'test/mcp/evals/evals.test.ts',
      'test/mcp/preview-tokens.test.ts',
      'test/mcp/previews.test.ts',
      'test/mcp/progress.test.ts',
      'test/mcp/promo-codes.test.ts',
      'test/mcp/stdio.test.ts',
      'test/payouts/approvals.test.ts',
      'test/payouts/bank/random-files.test.ts',
      'test/payouts/bank/reports.test.ts',
      'test/payouts/changed-details.test.ts',
      'test/payouts/created-exports.test.ts',
      'test/payouts/exports.test.ts',
      'test/payouts/failing-payouts.test.ts',
      'test/payouts/limit-races.test.ts',
      'test/payouts/paid-commissions.test.ts',
      'test/payouts/previews.test.ts',
      'test/payouts/rails/many-payments.test.ts',
      'test/payouts/rails/paypal.test.ts',
      'test/payouts/rails/random-payments.test.ts',
      'test/payouts/rails/scenarios.test.ts',
      'test/payouts/rails/stripe.test.ts',
      'test/payouts/rails/wise.test.ts',
      'test/payouts/screening.test.ts',
      'test/payouts/sending.test.ts',
      'test/portal/agreements.test.ts',
      'test/portal/appearance.test.ts',
      'test/portal/figures.test.ts',
      'test/portal/notices.test.ts',
      'test/portal/own-links.test.ts',
      'test/portal/payment-outlook.test.ts',
      'test/portal/program-mails.test.ts',
      'test/privacy/erased-affiliates.test.ts',
      'test/privacy/erased-customers.test.ts',
      'test/psp/affiliate-coupon.test.ts',
      'test/psp/announced-states.test.ts',
      'test/psp/connect-in-one-step.test.ts',
      'test/psp/crowded-leads.test.ts',
      'test/psp/documented-ways.test.ts',
      'test/psp/excluded-payments.test.ts',
      'test/psp/joined-identities.test.ts',
      'test/psp/late-codes.test.ts',
      'test/psp/lines-by-two-sources.test.ts',
      'test/psp/missing-referrals.test.ts',
      'test/psp/named-referrals.test.ts',
      'test/psp/own-customer-ids.test.ts',
      'test/psp/promo-code-faults.test.ts',
      'test/psp/same-sale-twice.test.ts',
      'test/psp/ties.test.ts',
      'test/psp/unattributed-payments.test.ts',
      'test/readme/commands.test.ts',
      'test/rest/analytics.test.ts',
      'test/rest/due-dates.test.ts',
      'test/rest/earning.test.ts',
      'test/rest/frequent-searches.test.ts',
      'test/rest/statements.test.ts',
      'test/rewards/bonus-fate.test.ts',
      'test/rewards/bonuses.test.ts',
      'test/rewards/caps-after-corrections.test.ts',
      'test/rewards/corrected-lines.test.ts',
      'test/rewards/late-tier-facts.test.ts',
      'test/rewards/lead-holds.test.ts',
      'test/rewards/paid-rewards.test.ts',
      'test/rewards/payments-undone.test.ts',
      'test/rewards/reached-milestones.test.ts',
      'test/rewards/unsettled-tiers.test.ts',
      'test/rewards/worth.test.ts',
      'test/sources/lemon-squeezy.test.ts',
      'test/sources/long-lists.test.ts',
      'test/sources/paddle.test.ts',
      'test/sources/polar.test.ts',
      'test/sources/several-providers.test.ts',
      'test/sources/shopify.test.ts',
      'test/sources/signed-facts.test.ts',
      'test/sources/stripe.test.ts',
      'test/sources/woocommerce.test.ts',
      'test/webhooks/receiver-health.test.ts',
    ],
  },
];

/** Suites of the folders above that are in every run. */
const NO_TURN = new Set(['test/web/merchant-days.test.ts']);

/**
 * Returns the suites that this run leaves out because it is not their turn. Eight seeds in a row run all suites. The thorough run leaves out none, and no run
 * a suite that an argument of the command names.
 *
 * @param root directory of the repository
 * @param seed seed of the run
 * @param args arguments of the command
 */
export function suitesLeftOut(root: string, seed: number, args: readonly string[]): string[] {
  if (THOROUGH) return [];
  return TURNS.flatMap(({ every, suites }) =>
    dealt(suites.flatMap((suite) => suitesIn(root, suite)))
      .filter((_, index) => turnOf(index, every) !== seed % every)
      .filter((path) => !args.some((arg) => path.includes(arg))),
  );
}

/** Returns the suites of a folder, whose path ends with a slash, or the suite of a file. */
function suitesIn(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) throw new Error(`test/support/turns.ts names ${path}, which does not exist. Remove it.`);
  if (!path.endsWith('/')) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path + file)
    .filter((suite) => !NO_TURN.has(suite));
}

/** Sorts suites in the order in which they get their turns: the longest first, so that all turns take about the same time. */
function dealt(suites: readonly string[]): string[] {
  return suites.toSorted((one, other) => (SECONDS[other] ?? 0) - (SECONDS[one] ?? 0) || one.localeCompare(other));
}

/** Returns the turn of the nth suite. The turns count up and down alternately, so that no turn gets the longer suite each time. */
function turnOf(index: number, turns: number): number {
  const place = index % turns;
  return Math.floor(index / turns) % 2 === 0 ? place : turns - 1 - place;
}
