import { expect, it } from 'vitest';
import { names, withoutAddresses, withoutPerson } from './personal-data.ts';

const sought = { addresses: ['grace@example.com'], ids: ['cust_1', 'cus_9'] };

it('removes an address from texts in any case, but not from longer addresses', () => {
  expect(withoutAddresses('For Grace@Example.com.', sought)).toBe('For erased.');
  for (const other of ['nice.grace@example.com', 'grace@example.com.au', 'grace@example.community'])
    expect(withoutAddresses(other, sought)).toBe(other);
});

it('empties the fields of the person’s records, and keeps those of others', () => {
  expect(
    withoutPerson(
      {
        id: 'sub_1',
        name: 'Pro plan',
        customer: { id: 'cus_9', email: 'grace@example.com', name: 'Grace', address: { city: 'Arlington', line1: null } },
        customer_details: { email: 'grace@example.com', address: { city: 'Arlington' }, tax_ids: [1] },
        referral: { customer: { id: 'cust_1', name: 'Grace', first_name: 'Grace', external_id: 'g-1' } },
        sale_customer_name: 'Grace',
        previous_attributes: { name: 'Grace H', metadata: { mail: 'grace@example.com' } },
        lines: [{ description: 'Shoes for grace@example.com', quantity: 2 }],
        campaign: { id: 'camp_1', name: 'Friends' },
      },
      sought,
    ),
  ).toEqual({
    id: 'sub_1',
    name: 'Pro plan',
    customer: { id: 'cus_9', email: null, name: null, address: { city: null, line1: null } },
    customer_details: { email: null, address: { city: null }, tax_ids: [] },
    referral: { customer: { id: 'cust_1', name: null, first_name: null, external_id: 'g-1' } },
    previous_attributes: { name: null, metadata: { mail: 'erased' } },
    lines: [{ description: 'Shoes for erased', quantity: 2 }],
    campaign: { id: 'camp_1', name: 'Friends' },
  });
});

it('recognizes a text about the person by an address or an ID', () => {
  expect(names('{"email":"GRACE@example.com"}', sought)).toBe(true);
  expect(names('{"customer":"cus_9"}', sought)).toBe(true);
  expect(names('{"customer":"cus_8"}', sought)).toBe(false);
});
