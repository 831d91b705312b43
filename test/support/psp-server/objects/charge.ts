import type { Stripe } from 'stripe';
import { NO_ADDRESS } from './customer.ts';
import { newId, nowSeconds } from './ids.ts';

/** A captured card charge. */
export function charge(fields: Partial<Stripe.Charge> = {}): Stripe.Charge {
  const id = fields.id ?? newId('ch');
  const amount = fields.amount ?? 2000;
  return {
    id,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: newId('txn'),
    billing_details: { address: NO_ADDRESS, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: true,
    created: nowSeconds(),
    currency: 'usd',
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: newId('pi'),
    payment_method: newId('pm'),
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
    ...fields,
  };
}

/** Returns the charge after `refunds`. */
export function refundedCharge(of: Stripe.Charge, refunds: Stripe.Refund[]): Stripe.Charge {
  const amountRefunded = refunds
    .filter((refund) => refund.status === 'succeeded' || refund.status === 'pending')
    .reduce((sum, refund) => sum + refund.amount, 0);
  return { ...of, amount_refunded: amountRefunded, refunded: amountRefunded === of.amount };
}

export function refund(of: Stripe.Charge, fields: Partial<Stripe.Refund> = {}): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount: of.amount,
    balance_transaction: null,
    charge: of.id,
    created: nowSeconds(),
    currency: of.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'reversal' }, type: 'card' },
    metadata: {},
    payment_intent: of.payment_intent,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
    ...fields,
  };
}
