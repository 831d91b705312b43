/** Every state of a payment that a provider publishes has the state here that the manual promises. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Batch, Item, tellBatch, tellItem } from '../../../packages/core/src/payouts/methods/paypal_api/tell.ts';
import { tellTransfer, Transfer } from '../../../packages/core/src/payouts/methods/wise_api/tell.ts';
import { RailError } from '../../../packages/core/src/payouts/port/rail.ts';
import { publishedValues } from '../../support/published-types.ts';
import { TRANSFER_STATES } from '../../support/wise-server/published.ts';

/** Reads the table of a manual: the state here by each name of the provider, e.g. `item SUCCESS`. */
function manual(file: string): Map<string, string> {
  const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)`[^|]*\| ([^|]+) \|/gm)];
  return new Map(
    rows.flatMap(([, state, cell]) =>
      cell!.split('; ').flatMap((part) => {
        const of = /^(?:item|batch) /.exec(part)?.[0] ?? '';
        return [...part.matchAll(/`(\w+)`/g)].map(([, name]): [string, string] => [of + name!, state!]);
      }),
    ),
  );
}

/** Returns the state here of a payment after the words of its provider. An error that proves nothing leaves it unknown. */
function stateAfter(tell: () => { state: string }): string {
  try {
    return tell().state;
  } catch (error) {
    if (error instanceof RailError && error.outcomeUnknown) return 'unknown';
    throw error;
  }
}

describe('PayPal', () => {
  const states = manual('paypal-payouts.md');
  const publishedOf = (type: string, field: string) => publishedValues('@types/paypal__payouts-sdk', 'index.d.ts', type, field);

  it.each(publishedOf('PayoutBatchItems', 'transaction_status'))('item %s', (transaction_status) => {
    const payout_item = { amount: { currency: 'USD', value: '1.00' } };
    const item = Item.parse({ payout_item_id: 'ITEM', payout_batch_id: 'BATCH', transaction_status, payout_item });
    expect(stateAfter(() => tellItem(item))).toBe(states.get(`item ${transaction_status}`));
  });

  it.each(publishedOf('PayoutHeader', 'batch_status'))('batch %s without items', (batch_status) => {
    const header = { payout_batch_id: 'BATCH', batch_status, sender_batch_header: { sender_batch_id: 'key' } };
    expect(stateAfter(() => tellBatch(Batch.parse({ batch_header: header }), 'key'))).toBe(states.get(`batch ${batch_status}`));
  });
});

describe('Wise', () => {
  const states = manual('wise-payouts.md');

  it.each(TRANSFER_STATES)('%s', (status) => {
    const transfer = { id: 7, status, sourceCurrency: 'EUR', targetCurrency: 'EUR', targetValue: 1 };
    expect(stateAfter(() => tellTransfer(Transfer.parse(transfer), null))).toBe(states.get(status));
  });
});
