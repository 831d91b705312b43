import { expect, it } from 'vitest';
import { isAbout, withoutPerson } from './personal-data.ts';

const sought = { addresses: ['grace@example.com'], ids: ['cust_1', 'cus_9'], ownIds: ['7'] };

it('removes an address from texts in any case, but not from longer addresses', () => {
  expect(withoutPerson('For Grace@Example.com.', sought)).toBe('For erased.');
  for (const other of ['nice.grace@example.com', 'grace@example.com.au', 'grace@example.community'])
    expect(withoutPerson(other, sought)).toBe(other);
});

it.each([
  ['percent-encoded, in a link', 'https://a.example/?to=grace%40example.com&x=1', 'https://a.example/?to=erased&x=1'],
  [
    'encoded twice',
    'next=https%3A%2F%2Fa.example%2F%3Fto%3Dgrace%2540example%2Ecom',
    'next=https%3A%2F%2Fa.example%2F%3Fto%3Derased',
  ],
  ['escaped as in JSON', String.raw`{"to":"grace\u0040example.com"}`, '{"to":"erased"}'],
  ['after an escaped line break', String.raw`{"to":"\ngrace@example.com"}`, String.raw`{"to":"\nerased"}`],
  ['as entities of HTML', '<b>grace&#64;example&#x2e;com</b>', '<b>erased</b>'],
  ['in quoted-printable', 'To: grace=40example.com', 'To: erased'],
  ['in base64', `token=${Buffer.from('id 7: grace@example.com').toString('base64')}.`, 'token=erased.'],
])('removes an address that is %s', (_, text, expected) => {
  expect(withoutPerson(text, sought)).toBe(expected);
});

it('removes an address with its domain in ASCII and in its own script', () => {
  const ofDomain = { ...sought, addresses: ['ada@xn--exmple-cua.com'] };
  for (const text of ['To ada@xn--exmple-cua.com', 'To ada@exämple.com', 'To ada%40ex%C3%A4mple.com'])
    expect(withoutPerson(text, ofDomain)).toBe('To erased');
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
        changed: { object: { id: 'cus_9' }, previous_attributes: { name: 'Grace H', metadata: { mail: 'grace@example.com' } } },
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
    changed: { object: { id: 'cus_9' }, previous_attributes: { name: null, metadata: {} } },
    lines: [{ description: 'Shoes for erased', quantity: 2 }],
    campaign: { id: 'camp_1', name: 'Friends' },
  });
});

it('empties the fields that the erased record has lost, in its copies, their former values and the arguments that made it', () => {
  const ofAda = { addresses: ['ada@example.com'], ids: ['aff_1'], ownIds: [], fields: ['company', 'psp_customer_id'] };
  const ada = { id: 'aff_1', email: 'ada@example.com', company: 'Lovelace Ltd', psp_customer_id: 'cus_9', state: 'active' };
  const lost = { company: null, psp_customer_id: null };
  expect(withoutPerson({ data: ada, previous_attributes: { company: 'Ada & Co', state: 'pending' } }, ofAda)).toEqual({
    data: { ...ada, ...lost, email: 'aff_1@erased.invalid' },
    previous_attributes: { company: null, state: 'pending' },
  });
  expect(withoutPerson({ email: 'ada@example.com', company: 'Lovelace Ltd' }, ofAda)).toEqual({ email: null, company: null });
  // The same person as a customer keeps the ID by which refunds find them.
  const customer = { id: 'cust_2', email: 'ada@example.com', company: 'Lovelace Ltd', psp_customer_id: 'cus_9' };
  expect(withoutPerson(customer, ofAda)).toEqual({ ...customer, email: null });
  expect(withoutPerson({ id: 'aff_2', company: 'Lovelace Ltd', referred_by: 'aff_1' }, ofAda)).toMatchObject({
    company: 'Lovelace Ltd',
  });
});

it('leaves data about others as they are, even beside data about the person and with the same short ID', () => {
  const others = {
    id: 'ch_2',
    customer: 'cus_99',
    customer_email: 'alan@example.com',
    quantity: '7',
    billing_details: { name: 'Alan' },
  };
  const own = { id: 'ch_1', customer: 'cus_9', customer_email: 'other@example.com', billing_details: { name: 'Grace' } };
  expect(withoutPerson({ data: [others, own] }, sought)).toEqual({
    data: [others, { ...own, customer_email: null, billing_details: { name: null } }],
  });
  const affiliate = { id: 'aff_1', email: 'alan@example.com', first_name: 'Alan', psp_customer_id: 'cus_9' };
  expect(withoutPerson(affiliate, sought)).toEqual(affiliate);
});

it('finds a customer who was merged away, and a record without an address', () => {
  const merged = { id: 'cust_0', email: null, name: 'Grace', external_id: null, merged_into: 'cust_1' };
  expect(withoutPerson(merged, sought)).toEqual({ ...merged, name: null });
  const known = { data: { id: 'com_1', amount_cents: 100, sale_customer_name: 'Grace' } };
  expect(withoutPerson(known, sought)).toEqual(known);
  expect(withoutPerson(known, sought, true)).toEqual({ data: { id: 'com_1', amount_cents: 100 } });
});

it('recognizes a value about the person by an address in a text or by an ID', () => {
  expect(isAbout({ note: 'To GRACE@example.com.' }, sought)).toBe(true);
  expect(isAbout({ customer: 'cus_9' }, sought)).toBe(true);
  for (const customer of ['cus_99', '7', null]) expect(isAbout({ customer }, sought)).toBe(false);
});
