import { describe, expect, it } from 'vitest';
import { LOCK_ORDER } from './lock-order.ts';
import { LockLedger } from './platform/db/lock-order.ts';

function ledger() {
  const complaints: string[] = [];
  return { locks: new LockLedger(LOCK_ORDER, (message) => complaints.push(message)), complaints };
}

describe('the locks of a transaction', () => {
  it('are taken in the declared order', () => {
    const { locks, complaints } = ledger();
    locks.note('affiliate');
    locks.note('customer');
    expect(complaints).toEqual(['The lock "customer" is taken after the lock "affiliate".']);
  });

  const commission = { id: 'com_1', affiliate_id: 'aff_1' };
  const sale = { id: 'sale_1', affiliate_id: null, customer_id: 'cust_1' };

  it.each([
    ['a commission of a locked affiliate', 'commission', commission, 'affiliate', 'aff_1'],
    ['a sale of a locked customer', 'sale', sale, 'customer', 'cust_1'],
    ['a locked sale', 'sale', sale, 'sale', 'sale_1'],
    ['a sale whose unknown customer is locked', 'sale', sale, 'customer of sale', 'sale_1'],
    ['a record that needs no lock', 'note', { id: 'note_1' }, 'account', 'acct_1'],
  ])('protect %s', (_, table, row, lock, about) => {
    const { locks, complaints } = ledger();
    locks.hold(lock, [about]);
    locks.assertProtected(table, row);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['a commission of another affiliate', 'commission', commission, 'affiliate', 'aff_2', 'affiliate aff_1'],
    ['a commission whose row alone is locked', 'commission', commission, 'commission', 'com_1', 'affiliate aff_1'],
    ['a locked affiliate by the lock of its customer', 'affiliate', { id: 'aff_1' }, 'customer', 'aff_1', 'affiliate aff_1'],
  ])('do not protect %s', (_, table, row, lock, about, missing) => {
    const { locks, complaints } = ledger();
    locks.hold(lock, [about]);
    locks.assertProtected(table, row);
    expect(complaints).toEqual([`A record of the table "${table}" is changed without a lock: ${missing}.`]);
  });

  it('are asked for by what needs an advisory lock', () => {
    const { locks, complaints } = ledger();
    locks.assertHeld('psp events');
    locks.hold('psp events', ['']);
    locks.assertHeld('psp events');
    expect(complaints).toEqual(['The lock "psp events" is missing.']);
  });
});
