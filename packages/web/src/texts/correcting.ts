import { texts } from './catalogue.ts';

export const t = texts({
  adjusts: {
    en: 'The commission of {commission} is claimed or paid and stays. An adjustment of {amount} joins the next payout.',
    de: 'Die Provision von {commission} ist eingeplant oder bezahlt und bleibt. Eine Korrektur von {amount} kommt in die nächste Auszahlung.',
  },
  amount: { en: 'Amount in {currency}, with tax', de: 'Betrag in {currency}, mit Steuer' },
  correct: { en: 'Correct', de: 'Korrigieren' },
  corrected: { en: 'The sale {sale} was corrected.', de: 'Der Verkauf {sale} wurde korrigiert.' },
  correctHint: {
    en: 'Enter the amounts that are right now, e.g. of an order that has grown. Report refunds as refunds instead.',
    de: 'Geben Sie die Beträge ein, die jetzt stimmen, etwa die einer erweiterten Bestellung. Melden Sie Erstattungen dagegen als Erstattungen.',
  },
  correctOf: { en: 'Correct {sale}', de: '{sale} korrigieren' },
  correctSale: { en: 'Correct a sale of {amount}', de: 'Einen Verkauf über {amount} korrigieren' },
  earns: { en: 'The commission becomes {amount}.', de: 'Die Provision beträgt dann {amount}.' },
  earnsNothing: { en: 'The sale earns no commission.', de: 'Der Verkauf ergibt keine Provision.' },
  enterAmount: {
    en: 'Enter an amount in {currency}, e.g. {value}.',
    de: 'Geben Sie einen Betrag in {currency} ein, z. B. {value}.',
  },
  tax: { en: 'Tax within it, in {currency}', de: 'Darin enthaltene Steuer, in {currency}' },
});
