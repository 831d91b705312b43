import { createHmac } from 'node:crypto';
import type { Delivery, Source, SourceAccess, SourceEvent, Trust } from '../../../packages/core/src/sources/port/port.ts';
import { InvalidPspEventError, MalformedPspEventError, PspError } from '../../../packages/core/src/sources/port/psp-error.ts';
import { SOURCE_REASONS } from '../../../packages/core/src/sources/port/reasons.ts';
import type { PaymentSeen } from '../../../packages/core/src/sources/port/seen.ts';

/** An order of the toy shop. The shop always tells everything that it knows of an order. */
export interface ToyOrder {
  number: string;
  /** Grows with each change. */
  version: number;
  paidAt: string;
  buyer: { id: string | null; email: string | null };
  /** Amount with tax, and the tax in it. */
  cents: number;
  taxCents: number;
  currency: string;
  lines?: { product: string; cents: number }[];
  /** The text of the code that was typed. */
  code?: string;
  /** The token of a link, or the id of a referral. */
  reference?: string;
  refunds?: { id: string; at: string; cents: number; taxCents?: number; product?: string }[];
  dispute?: { id: string; at: string; cents: number; outcome: 'open' | 'won' | 'lost' };
}

interface ToyEvent extends SourceEvent {
  order: ToyOrder;
}

/** The body of a delivery. One without an order only hints that the order has changed. */
interface Message {
  id: string;
  at: string;
  number: string;
  order?: ToyOrder;
}

/** A shop in memory whose orders are payments, and its entry in the table of sources. */
export class ToySource implements Source<ToyEvent> {
  readonly kind = 'toy';
  readonly name = 'Toy shop';
  readonly fields = [];
  readonly eventTypes = ['order'];
  readonly orders = new Map<string, ToyOrder>();

  /** Stores an order. Returns the body and the headers of the delivery that tells it. With `isHint`, the body does not contain the order. */
  message(order: ToyOrder, secret: string, isHint = false): { body: string; headers: Record<string, string> } {
    if ((this.orders.get(order.number)?.version ?? 0) < order.version) this.orders.set(order.number, order);
    const body = JSON.stringify({ ...messageOf(order), ...(isHint && { order: undefined }) });
    return { body, headers: { 'Toy-Signature': signatureOf(body, secret) } };
  }

  connect(key: string) {
    return Promise.resolve(key.startsWith('toy_') ? { mode: 'live' as const, account: ACCOUNT } : null);
  }

  open(): Promise<SourceAccess<ToyEvent>> {
    const orders = this.orders;
    return Promise.resolve({
      account: () => Promise.resolve(ACCOUNT),
      complete: (_, event) => Promise.resolve(event),
      look: ({ order: { number } }) => {
        const order = orders.get(number);
        return order
          ? Promise.resolve(eventOf(messageOf(order)))
          : Promise.reject(new PspError({ reason: 'not_found', said: SOURCE_REASONS.provider_said({ words: 'No order.' }) }));
      },
      since: async function* (at) {
        const changed = [...orders.values()].filter(({ paidAt }) => new Date(paidAt) >= at);
        yield { events: changed.map((order) => eventOf(messageOf(order))), place: '' };
      },
      ensureEndpoint: () => Promise.resolve(false),
    });
  }

  verify({ rawBody, header }: Delivery, secrets: readonly string[]): Promise<Trust> {
    const body = new TextDecoder().decode(rawBody);
    if (!secrets.some((secret) => header('toy-signature') === signatureOf(body, secret)))
      return Promise.reject(new InvalidPspEventError('The signature is wrong.'));
    return Promise.resolve('order' in JSON.parse(body) ? 'full' : 'hint');
  }

  read(body: string): ToyEvent {
    const message = JSON.parse(body) as Message;
    if (typeof message.number !== 'string') throw new MalformedPspEventError('The body is not a message of the shop.');
    return eventOf(message);
  }

  tell(_ctx: unknown, connectionId: string, { order }: ToyEvent): Promise<PaymentSeen[]> {
    const { number, version, paidAt: at, buyer, currency, lines = [], code, reference, refunds = [], dispute } = order;
    const money = (amount: number) => ({ amount, currency });
    const seen: PaymentSeen = {
      ...SILENT,
      excluded: false,
      paidOutside: false,
      source: this.kind,
      connectionId,
      names: [`order:${number}`],
      payer: { ids: buyer.id === null ? [] : [buyer.id], externalId: null, email: buyer.email, name: null },
      charged: { amount: money(order.cents), tax: money(order.taxCents), at },
      lines: lines.map(({ product, cents }) => ({ product, price: null, interval: null, quantity: 1, amount_cents: cents })),
      references: reference === undefined ? [] : [{ value: reference, place: 'checkout', ofPayment: true, at }],
      codes: code === undefined ? [] : [{ id: null, text: code, at }],
      refunds: refunds.map(({ id, cents, taxCents, product, at: since }) => ({
        id,
        amount: cents,
        at: since,
        state: 'done',
        failedAt: null,
        taxed: taxCents === undefined ? [] : [{ amount: cents, tax: money(taxCents) }],
        lines: product === undefined ? [] : [{ product, amount: cents - (taxCents ?? 0) }],
      })),
      disputes: dispute === undefined ? [] : [{ ...dispute, amount: dispute.cents }],
      version: String(version).padStart(10, '0'),
    };
    return Promise.resolve([seen]);
  }
}

/** The parts of a payment that the shop does not tell. */
const SILENT = { kind: 'payment', mode: 'live', group: null, way: null, description: null, subscription: null } as const;

const ACCOUNT = { id: 'toy_1', name: 'Toy shop', country: null, defaultCurrency: null };

function messageOf(order: ToyOrder): Message {
  return { id: `toy_${order.number}_${order.version}`, at: order.paidAt, number: order.number, order };
}

function eventOf(message: Message): ToyEvent {
  const order = message.order ?? ({ number: message.number, buyer: { id: null, email: null } } as ToyOrder);
  return {
    id: message.id,
    type: 'order',
    occurredAt: new Date(message.at),
    mode: 'live',
    isUnused: false,
    problem: null,
    order,
    payer: { ...order.buyer, externalId: null, formerEmail: null },
    payload: { ...message },
  };
}

function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
