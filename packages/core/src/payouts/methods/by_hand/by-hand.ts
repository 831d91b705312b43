import type { Method } from '../../method/method.ts';

/** Payment by any means that the service does not know. */
export const BY_HAND: Method = {
  kind: 'by_hand',
  addressSchema: null,
  currencies: null,
  limits: { items: Infinity },
  problems: () => [],
};
