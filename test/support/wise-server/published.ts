/** The fields of Wise's objects that its API reference names as always present, with their types. The double's objects have them (test/payouts/rails/wise.test.ts). */

/** The states of a transfer that Wise's guide to tracking transfers names. */
export const TRANSFER_STATES = [
  'incoming_payment_waiting',
  'incoming_payment_initiated',
  'processing',
  'funds_converted',
  'outgoing_payment_sent',
  'bounced_back',
  'waiting_recipient_input_to_proceed',
  'funds_refunded',
  'charged_back',
  'cancelled',
  'unknown',
] as const;

export interface Transfer {
  id: number;
  user: number;
  targetAccount: number;
  sourceAccount: number | null;
  quote: number | null;
  quoteUuid: string;
  status: string;
  reference: string;
  rate: number;
  created: string;
  business: number | null;
  transferRequest: number | null;
  details: { reference?: string };
  hasActiveIssues: boolean;
  sourceCurrency: string;
  sourceValue: number;
  targetCurrency: string;
  targetValue: number;
  customerTransactionId: string;
}

interface PaymentOption {
  disabled: boolean;
  fee: { transferwise: number; payIn: number; discount: number; partner: number; total: number };
  sourceAmount: number;
  targetAmount: number;
  sourceCurrency: string;
  targetCurrency: string;
  payIn: string;
  payOut: string;
}

export interface Quote {
  id: string;
  sourceCurrency: string;
  targetCurrency: string;
  targetAmount: number;
  rate: number;
  createdTime: string;
  user: number;
  profile: number;
  rateType: 'FIXED' | 'FLOATING';
  rateExpirationTime: string;
  providedAmountType: 'SOURCE' | 'TARGET';
  paymentOptions: PaymentOption[];
  status: 'PENDING' | 'ACCEPTED' | 'FUNDED' | 'EXPIRED';
  expirationTime: string;
}

export interface Recipient {
  id: number;
  creatorId: number;
  profileId: number;
  name: { fullName: string };
  currency: string;
  type: string;
  legalEntityType: string;
  active: boolean;
}

export interface Payment {
  id: number;
  method: string;
  amount: number;
  currency: string;
  timeCreated: string;
  timeUpdated: string;
}

export interface Funding {
  type: string;
  status: 'COMPLETED' | 'REJECTED';
  errorCode: string | null;
}

export interface Profile {
  id: number;
  type: string;
  userId: number;
}

export interface Balance {
  id: number;
  currency: string;
  type: 'STANDARD' | 'SAVINGS';
  amount: { value: number; currency: string };
  reservedAmount: { value: number; currency: string };
}

export interface Subscription {
  id: string;
  name: string;
  trigger_on: string;
  delivery: { version: string; url: string };
  scope: { domain: string; id: string };
  created_at: string;
}
