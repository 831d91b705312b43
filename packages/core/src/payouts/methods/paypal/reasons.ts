import { reasons } from '../../../platform/texts/reason.ts';

export const PAYPAL_REASONS = reasons({
  other_payment: { en: 'PayPal has another payment by this id.', de: 'PayPal hat unter dieser ID eine andere Zahlung.' },
  address_too_long: {
    en: '{name} (payout {payout}) has an address of more than {max} characters, which PayPal does not accept.',
    de: '{name} (Auszahlung {payout}) hat eine Adresse mit mehr als {max} Zeichen, die PayPal nicht annimmt.',
  },
  other_batch: { en: 'PayPal has another batch by this id.', de: 'PayPal hat unter dieser ID andere Zahlungen.' },
  unknown_state: { en: 'PayPal names a state that is not known.', de: 'PayPal nennt einen unbekannten Zustand.' },
});
