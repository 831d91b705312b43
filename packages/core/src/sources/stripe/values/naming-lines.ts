/** The line of code that names the referral, by the way in which the customer pays. */
export const NAMING_LINES = {
  payment_link: 'https://buy.stripe.com/…?client_reference_id=${referralId}',
  checkout: 'stripe.checkout.sessions.create({ …, client_reference_id: referralId })',
  subscription: 'stripe.subscriptions.create({ …, metadata: { referral: referralId } })',
  invoice: 'stripe.invoices.create({ …, metadata: { referral: referralId } })',
  payment: 'stripe.paymentIntents.create({ …, metadata: { referral: referralId } })',
};
