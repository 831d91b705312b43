import { texts } from './catalogue.ts';

export const t = texts({
  completed: { en: 'The checkout is complete', de: 'Der Checkout ist abgeschlossen' },
  earned: { en: 'The affiliate has earned a test commission', de: 'Der Partner hat eine Testprovision verdient' },
  explained: {
    en: 'Buy in Stripe’s test mode through your newest link, and see each step arrive. Test sales are never paid out. The key needs the permission Checkout Sessions (write).',
    de: 'Kaufen Sie im Testmodus von Stripe über Ihren neuesten Link, und sehen Sie jeden Schritt ankommen. Testverkäufe werden nie ausgezahlt. Der Schlüssel braucht die Berechtigung Checkout-Sitzungen (schreiben).',
  },
  openCheckout: { en: 'Open the checkout', de: 'Checkout öffnen' },
  opened: { en: 'A checkout is open in Stripe', de: 'Ein Checkout ist bei Stripe offen' },
  paid: { en: 'The payment has arrived', de: 'Die Zahlung ist angekommen' },
  payWith: {
    en: 'Pay there with the card 4242 4242 4242 4242, any date in the future and any code.',
    de: 'Bezahlen Sie dort mit der Karte 4242 4242 4242 4242, einem Datum in der Zukunft und einer beliebigen Prüfziffer.',
  },
  start: { en: 'Make a test purchase', de: 'Testkauf machen' },
  startAgain: { en: 'Make another test purchase', de: 'Noch einen Testkauf machen' },
  testPurchase: { en: 'Test purchase', de: 'Testkauf' },
  waitsForCheckout: { en: 'Waiting for the checkout', de: 'Warten auf den Checkout' },
  waitsForCommission: { en: 'The commission follows the payment', de: 'Die Provision folgt auf die Zahlung' },
  waitsForPayment: { en: 'Waiting for the payment', de: 'Warten auf die Zahlung' },
});
