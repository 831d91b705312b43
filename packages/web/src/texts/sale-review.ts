import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  charge: { en: 'Charge', de: 'Betrag' },
  found: { en: 'Contradiction', de: 'Widerspruch' },
  keep: { en: 'Keep the payment', de: 'Zahlung bestehen lassen' },
  keepOf: { en: 'Keep the payment for {sale}', de: 'Zahlung für {sale} bestehen lassen' },
  kept: { en: 'The payment for {sale} stands.', de: 'Die Zahlung für {sale} bleibt bestehen.' },
  nowAmount: {
    en: 'The sale has earned {paid}, which are paid at least in part. By the facts that are known now, it would be {amount}.',
    de: 'Der Verkauf hat {paid} eingebracht, die zumindest teilweise bezahlt sind. Nach heutigem Stand wären es {amount}.',
  },
  nowAnother: {
    en: 'The sale has earned {paid}, which are paid at least in part. By the facts that are known now, {affiliate} would earn from the sale.',
    de: 'Der Verkauf hat {paid} eingebracht, die zumindest teilweise bezahlt sind. Nach heutigem Stand würde {affiliate} am Verkauf verdienen.',
  },
  nowNobody: {
    en: 'The sale has earned {paid}, which are paid at least in part. By the facts that are known now, nobody would earn from the sale.',
    de: 'Der Verkauf hat {paid} eingebracht, die zumindest teilweise bezahlt sind. Nach heutigem Stand würde niemand am Verkauf verdienen.',
  },
  sameRefund: { en: 'It is the same refund', de: 'Es ist dieselbe Erstattung' },
  sameRefundOf: { en: 'It is the same refund: {sale}', de: 'Es ist dieselbe Erstattung: {sale}' },
  sameRefundNoted: { en: 'The refunds of {sale} are right.', de: 'Die Erstattungen von {sale} stimmen.' },
  takeBack: { en: 'Take back…', de: 'Zurücknehmen…' },
  takeBackHint: {
    en: 'If you take the commission back, the next payout of the affiliate is reduced by it. The sale can then be decided again on its page.',
    de: 'Wenn Sie die Provision zurücknehmen, wird sie von der nächsten Auszahlung des Partners abgezogen. Auf der Seite des Verkaufs kann dann neu entschieden werden.',
  },
  takeBackOf: { en: 'Take back the commission for {sale}', de: 'Provision für {sale} zurücknehmen' },
  takenBack: {
    en: 'The commission of {paid} was taken back. The sale can be decided again.',
    de: 'Die Provision von {paid} wurde zurückgenommen. Über den Verkauf kann neu entschieden werden.',
  },
  toReview: { en: 'Sales to review', de: 'Zu prüfende Verkäufe' },
  toReviewHint: {
    en: 'Facts that arrived after the payment contradict the commissions of these sales, or two reports name refunds that may be the same. The money stays as it is until you decide.',
    de: 'Nach der Zahlung kamen Tatsachen hinzu, die den Provisionen dieser Verkäufe widersprechen, oder zwei Meldungen nennen Erstattungen, die dieselben sein können. Das Geld bleibt, wie es ist, bis Sie entscheiden.',
  },
  uncounted: {
    en: 'Two reports name refunds of this payment. {amount} of them are not counted, because they may be the same refund. If they are another one, report all refunds with the same external ID.',
    de: 'Zwei Meldungen nennen Erstattungen dieser Zahlung. Davon zählen {amount} nicht, weil es dieselbe Erstattung sein kann. Ist es eine andere, melden Sie alle Erstattungen mit derselben externen ID.',
  },
});
