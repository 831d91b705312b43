import { expect, it } from 'vitest';
import { clientNetwork } from './client-network.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:23ff::1', '2001:db8:1:2300::/56'],
  ['2001:DB8:1:2300:ffff:ffff:ffff:ffff', '2001:db8:1:2300::/56'],
  ['2001:db8:1:2400::1', '2001:db8:1:2400::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['::1', '::/56'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
