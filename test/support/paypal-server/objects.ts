/** Objects of PayPal's Payouts API, with the fields that its published types require. */
import { randomBytes } from 'node:crypto';

interface Money {
  currency: string;
  value: string;
}

/** The part of a request that the double reads. */
export interface PayoutRequest {
  sender_batch_header: { sender_batch_id: string; recipient_type?: 'EMAIL'; email_subject?: string };
  items: {
    recipient_type?: 'EMAIL';
    amount: Money;
    receiver: string;
    note?: string;
    sender_item_id?: string;
    recipient_wallet?: 'PAYPAL';
    purpose?: string;
  }[];
}

export type ItemState =
  | 'SUCCESS'
  | 'FAILED'
  | 'PENDING'
  | 'UNCLAIMED'
  | 'RETURNED'
  | 'ONHOLD'
  | 'BLOCKED'
  | 'REFUNDED'
  | 'REVERSED';

/** An id in PayPal's form: 13 capitals and digits. */
export function payPalId(): string {
  return [...randomBytes(13)].map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789'[byte % 34]).join('');
}

export type PayPalBatch = ReturnType<typeof batch>;
/** A batch as it is read. Its items appear when PayPal has processed it. */
export function batch(request: PayoutRequest, at: string) {
  const id = payPalId();
  return {
    header: {
      payout_batch_id: id,
      batch_status: 'PENDING' as 'DENIED' | 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'CANCELED',
      time_created: at,
      sender_batch_header: request.sender_batch_header,
      funding_source: 'BALANCE' as const,
      amount: request.items[0]!.amount,
      fees: { currency: request.items[0]!.amount.currency, value: '0.00' },
      errors: undefined as undefined | Fault,
    },
    items: request.items.map((wanted) => item(id, wanted)),
    isProcessed: false,
  };
}

interface Fault {
  name: string;
  message: string;
  debug_id: string;
}

export type PayPalItem = ReturnType<typeof item>;
function item(batchId: string, wanted: PayoutRequest['items'][number]) {
  return {
    payout_item_id: payPalId(),
    payout_batch_id: batchId,
    transaction_status: 'PENDING' as ItemState | 'EATEN_BY_A_DOG',
    payout_item_fee: { currency: wanted.amount.currency, value: '0.00' },
    payout_item: {
      ...wanted,
      recipient_name: undefined as undefined | { given_name?: string; surname?: string; full_name?: string },
    },
    currency_conversion: undefined as undefined | { from_amount: Money; to_amount: Money; exchange_rate: string },
    time_processed: undefined as undefined | string,
    errors: undefined as undefined | Fault,
    links: [{ href: 'https://api-m.paypal.com/v1/payments/payouts-item/x', rel: 'item', method: 'GET' as const }],
  };
}

export function fault(name: string, message: string): Fault {
  return { name, message, debug_id: payPalId() };
}
