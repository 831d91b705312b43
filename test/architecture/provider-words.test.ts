/** A payment provider is a folder below `sources`: no other file of the domain has a word of it, except the table of sources and the wire's views. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROVIDER_KINDS } from '../../packages/core/src/sources/kinds.ts';

const ROOT = resolve(import.meta.dirname, '../../packages/core/src');

const KINDS = ['stripe', ...PROVIDER_KINDS];
const WORDS = new RegExp(['payment_intent', 'charge_id', ...KINDS.map((kind) => kind.replace('_', '[ _-]?'))].join('|'), 'i');

/** The folders of the providers, their entries in the tables of sources and of payout methods, and their migration. */
const OF_PROVIDER = new RegExp(
  String.raw`^sources/((${KINDS.join('|')})/|(sources|kinds)\.ts$)|^payouts/methods/(stripe/|methods\.ts$)|^platform/db/migrations/`,
);

/** Fields of other tools, as their files and APIs name them. */
const OF_OTHER_TOOLS = /^imports\/(csv|dub|rewardful|tolt)\//;

/** The API's own fields and texts: schemas, the files that compute or show the fields `psp_*`, and how a payout is paid. */
const OF_WIRE =
  /\.schema\.ts$|^(sources\/psp-wire|ledger\/payouts\/payment-outlook|platform\/wire\/psp-name|ledger\/sales\/wire-names|webhooks\/events\/wire-samples)\.ts$/;

/** The API's own fields and formats by the name of a wallet: schemas, the names of arguments that are not logged, and a field of PayPal's requests. */
const WITH_WALLETS = /\.schema\.ts$|^platform\/audit-log\/redact\.ts$|^payouts\/methods\/paypal_api\//;

/** Returns the lines of a file that have a word of the provider in a place where none belongs. */
function wordsIn(file: string, source: string): string[] {
  if (OF_PROVIDER.test(file) || OF_OTHER_TOOLS.test(file) || OF_WIRE.test(file)) return [];
  return source.split('\n').flatMap((line, at) => (WORDS.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : []));
}

describe('the words of a payment provider', () => {
  it('stand in its own folder, in the table of sources and at the wire only', () => {
    const files = globSync('**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => wordsIn(file, readFileSync(resolve(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('and the name of a wallet stands at the wire only', () => {
    const files = globSync('**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts') && !WITH_WALLETS.test(file));
    expect(files.filter((file) => /wallet/i.test(readFileSync(resolve(ROOT, file), 'utf8')))).toEqual([]);
  });

  it.each([
    ['intake/payments/settle.ts', "if (seen.source === 'stripe') return;"],
    ['ledger/sales/sale.entity.ts', '  psp_charge_id: p.string(),'],
    ['sources/connections/open-connection.ts', 'const { payment_intent } = event;'],
  ])('are found in %s', (file, line) => {
    expect(wordsIn(file, line)).toEqual([`${file}:1 ${line.trim()}`]);
  });
});
