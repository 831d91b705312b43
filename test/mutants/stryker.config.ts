/**
 * Changes the rules about money in one place after the other, and runs the tests that need no database. MUTANTS=rewards tries one of the subjects,
 * MUTANTS_SHARE=4 five of every 20 lines, and `--mutate packages/core/src/rewards/worth/windows.ts:10-30` some lines. What is unchanged since the last such
 * run is not tried again.
 */
import { globSync, readFileSync } from 'node:fs';

/** The files whose rules need no database. Of a file that has both, the functions that need one are left out (`needs-database.ts`). */
const SUBJECTS = {
  decide: ['attribution/decide/*.ts'],
  ledger: [
    'ledger/commissions/{commission.entity,commission.transitions,explain-amounts}.ts',
    'ledger/earning/{flag-commission,worth}.ts',
    'ledger/payouts/payment-outlook.ts',
    'ledger/sales/{refund,sale.entity,sale.transitions}.ts',
    'ledger/write-back/write-back.ts',
  ],
  rewards: ['rewards/{words,worth}/*.ts', 'rewards/rules/milestones.ts', 'rewards/tiers/tier-periods.ts'],
  methods: [
    'payouts/methods/*/*.ts',
    'payouts/methods/selection.ts',
    'payouts/port/{bank-files,csv-file,email-address,fee,method,rail,rail-request}.ts',
  ],
};

const subject = process.env['MUTANTS'] ?? 'all';
const share = Number(process.env['MUTANTS_SHARE'] ?? 1);
const name = share === 1 ? subject : `${subject}-${share}`;
const LINES = 5;

const files = Object.entries(SUBJECTS)
  .flatMap(([each, patterns]) => (subject === 'all' || subject === each ? patterns : []))
  .flatMap((pattern) => globSync(`packages/core/src/${pattern}`))
  .filter((file) => !/\.test\.ts$|\/reasons\.ts$/.test(file));
if (files.length === 0) throw new Error(`MUTANTS is one of ${Object.keys(SUBJECTS).join(', ')}, or absent.`);

let block = 0;

/** Returns the lines of a file that are tried: all, or every so many block of lines, counted through all files. */
function linesOf(file: string): string[] {
  if (share === 1) return [file];
  const { length } = readFileSync(file, 'utf8').split('\n');
  const starts = Array.from({ length: Math.ceil(length / LINES) }, (_, at) => at * LINES + 1);
  return starts.filter(() => (block += 1) % share === 0).map((start) => `${file}:${start}-${start + LINES - 1}`);
}

export default {
  testRunner: 'vitest',
  tsconfigFile: 'none.json',
  plugins: ['@stryker-mutator/vitest-runner', `${import.meta.dirname}/needs-database.ts`],
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  ignorers: ['needs-database'],
  mutate: files.flatMap(linesOf),
  concurrency: 1,
  coverageAnalysis: 'perTest',
  // Values that are made while a file is loaded, such as tables and texts: each of them would take all tests in a new process.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `.mutants/${name}.incremental.json`,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.mutants/${name}.json` },
  thresholds: { high: 90, low: 80, break: 80 },
  ignorePatterns: ['packages/web', 'bench', 'docs', '**/dist*', '.mutants'],
  tempDirName: 'node_modules/.stryker',
};
