import { z } from 'zod';
import type { Method, Outgoing } from '../../../packages/core/src/payouts/port/method.ts';
import type { Word } from '../../../packages/core/src/payouts/port/rail.ts';
import { OutsideError } from '../../../packages/core/src/platform/operations/operation.ts';
import { reasons } from '../../../packages/core/src/platform/texts/reason.ts';

const REASONS = reasons({ no_number: { en: '{payout_id} has no number.', de: '{payout_id} hat keine Nummer.' } });

/** Answer of the rail to the next call. */
type Behavior = 'accept' | 'refuse' | 'lose the answer' | 'lose the request';

class RailError extends OutsideError {
  readonly replayed = false;
  readonly outcomeUnknown: boolean;

  constructor(message: string, outcomeUnknown: boolean) {
    super(message);
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** A rail in memory that pays to numbers. It knows a payment by its key, and pays it once. */
export class ToyRail {
  readonly payments = new Map<string, Word & { number: string; amount_cents: number }>();
  readonly calls: { key: string; number: string; amount_cents: number }[] = [];
  next: Behavior = 'accept';
  balances = [{ cents: 100_000, currency: 'USD' }];

  send = ({ key, addresses, amount_cents, currency }: Outgoing): Promise<Word> => {
    const number = addresses['toy']!['number']!;
    this.calls.push({ key, number, amount_cents });
    const behavior = this.next;
    this.next = 'accept';
    if (behavior === 'refuse') return Promise.reject(new RailError('The number is closed.', false));
    if (behavior === 'lose the request') return Promise.reject(new RailError('timeout', true));
    if (!this.payments.has(key)) {
      const word = { state: 'in_transit' as const, raw_state: 'MOVING', amount: { amount_cents, currency } };
      this.payments.set(key, { ...word, number, amount_cents, facts: { provider_item_id: `toy_${key}` } });
    }
    if (behavior === 'lose the answer') return Promise.reject(new RailError('timeout', true));
    return Promise.resolve(this.payments.get(key)!);
  };

  look = ({ key }: Outgoing): Promise<Word> => {
    const payment = this.payments.get(key);
    return payment ? Promise.resolve(payment) : Promise.reject(new RailError('No such payment.', true));
  };

  cancel = ({ key }: Outgoing): Promise<Word> => {
    const payment = this.payments.get(key)!;
    if (payment.state !== 'unclaimed') return Promise.reject(new RailError('The receiver has it.', false));
    this.payments.set(key, { ...payment, state: 'returned', raw_state: 'CALLED_BACK', reason: 'Called back' });
    return Promise.resolve(this.payments.get(key)!);
  };

  /** Sets the state of all payments. */
  turn(word: Pick<Word, 'state' | 'raw_state' | 'reason' | 'facts'>): void {
    for (const [key, payment] of this.payments) this.payments.set(key, { ...payment, ...word });
  }

  /** The entry of the rail in the table of methods. */
  readonly method: Method = {
    kind: 'toy',
    words: {
      name: { en: 'Toy number', de: 'Spielnummer' },
      alone: { en: 'by the toy', de: 'durch das Spielzeug' },
      to: { en: 'by the toy to {hint}', de: 'durch das Spielzeug an {hint}' },
    },
    addressSchema: z.strictObject({ number: z.string().regex(/^\d{6}$/) }),
    currencies: null,
    limits: { items: 1_000, keyMs: 24 * 3_600_000 },
    problems: (items) =>
      items.flatMap(({ payout_id, addresses }) =>
        addresses['toy'] ? [] : [{ payout_id, code: 'missing_address' as const, message: REASONS.no_number({ payout_id }) }],
      ),
    send: this.send,
    look: this.look,
    recalls: ['in_transit', 'unclaimed'],
    cancel: this.cancel,
    quote: (items) =>
      Promise.resolve(
        items.map(({ amount_cents, currency }) =>
          currency === 'USD' ? { fee: { cents: 25, currency }, debited: { cents: amount_cents + 25, currency } } : null,
        ),
      ),
    balances: () => Promise.resolve(this.balances),
  };

  /** The rail in place of PayPal, for merchants who have connected an account of the mode that `client_id` names. */
  readonly connected: Method = {
    ...this.method,
    kind: 'paypal',
    addressSchema: null,
    accounts: {
      name: 'Toy',
      fields: ['client_id', 'client_secret'].map((name) => ({ name, placeholder: name, isSecret: false })),
      connect: ({ client_id = '' }) => Promise.resolve({ mode: client_id === 'test' ? 'test' : 'live', accountId: client_id }),
      notices: {
        createEndpoint: () => Promise.resolve({ id: 'endpoint_1', secret: null }),
        deleteEndpoint: () => Promise.resolve(),
        verify: () => Promise.resolve(null),
      },
    },
  };
}
