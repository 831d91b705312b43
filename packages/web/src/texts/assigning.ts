import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  affiliate_inactive: { en: 'The affiliate was not active.', de: 'Der Partner war nicht aktiv.' },
  allWithoutAffiliate: { en: 'All sales without an affiliate', de: 'Alle Verkäufe ohne Partner' },
  assign: { en: 'Assign', de: 'Zuordnen' },
  assigned: { en: '{name} earns {amount}.', de: '{name} verdient {amount}.' },
  assignOf: { en: 'Assign {sale}', de: '{sale} zuordnen' },
  assignSale: { en: 'Assign a sale of {amount}', de: 'Einen Verkauf über {amount} zuordnen' },
  before_visit: {
    en: 'Charged before the customer’s first click on a link of an affiliate.',
    de: 'Bezahlt vor dem ersten Klick des Kunden auf einen Partnerlink.',
  },
  campaign_archived: { en: 'The campaign is archived.', de: 'Die Kampagne ist archiviert.' },
  commission_period_over: {
    en: 'The campaign’s period of commissions is over.',
    de: 'Der Provisionszeitraum der Kampagne ist vorbei.',
  },
  earns: {
    en: 'Earns {amount} on the campaign’s current terms.',
    de: 'Verdient {amount}, nach den heutigen Bedingungen der Kampagne.',
  },
  excluded: {
    en: 'The metadata in Stripe say that nobody earns from this sale.',
    de: 'Laut den Metadaten in Stripe verdient an diesem Verkauf niemand.',
  },
  findAffiliate: { en: 'Affiliate or referral', de: 'Partner oder Empfehlung' },
  findHint: {
    en: 'Start of a name or an email address, a link code, a promo code, or the ID of a referral',
    de: 'Anfang eines Namens oder einer E-Mail-Adresse, ein Linkcode, ein Gutscheincode oder die ID einer Empfehlung',
  },
  follow: {
    en: 'Later sales to this customer will also be attributed to the affiliate.',
    de: 'Spätere Verkäufe an diesen Kunden folgen.',
  },
  followNow: {
    en: {
      one: '{count} later sale of this customer earns, too.',
      other: '{count} later sales of this customer earn, too.',
    },
    de: {
      one: '{count} späterer Verkauf an diesen Kunden verdient ebenfalls.',
      other: '{count} spätere Verkäufe an diesen Kunden verdienen ebenfalls.',
    },
  },
  found: { en: 'Found', de: 'Gefunden' },
  max_commissions_reached: {
    en: 'The campaign’s limit of commissions is reached.',
    de: 'Die Höchstzahl an Provisionen der Kampagne ist erreicht.',
  },
  no_referral: {
    en: 'This customer is not known to have clicked an affiliate’s link or used an affiliate’s promo code.',
    de: 'Von diesem Kunden ist weder ein Klick auf einen Link noch ein Gutscheincode eines Partners bekannt.',
  },
  shadow: {
    en: 'Your former tool still decided at the time of this sale. After the switch, you can have the sale decided again.',
    de: 'Zur Zeit dieses Verkaufs entschied noch Ihr bisheriges Werkzeug. Nach dem Wechsel können Sie den Verkauf neu entscheiden lassen.',
  },
  nothing_to_earn: {
    en: 'No amount is left to earn a commission on.',
    de: 'Es ist nichts mehr übrig, woran verdient werden könnte.',
  },
  noneFound: { en: 'Nothing found', de: 'Nichts gefunden' },
  noPaymentOfWeek: {
    en: 'There was no payment in the last 7 days.',
    de: 'In den letzten 7 Tagen gab es keine Zahlung.',
  },
  noneOfWeek: {
    en: 'Every payment of the last 7 days has an affiliate.',
    de: 'Jede Zahlung der letzten 7 Tage hat einen Partner.',
  },
  reconsider: { en: 'Decide again', de: 'Neu entscheiden' },
  reconsidered: { en: 'The affiliate earns {amount}.', de: 'Der Partner verdient {amount}.' },
  reconsiderHint: {
    en: 'The sale earned nothing because of the state of the affiliate, the campaign or the referral at the time of the charge. It can be decided again by what applies now.',
    de: 'Der Verkauf brachte nichts ein, weil der Partner, die Kampagne oder die Empfehlung zur Zeit der Zahlung nichts verdienen konnte. Er kann nach dem heutigen Stand neu entschieden werden.',
  },
  reconsiderOf: { en: 'Decide again about {sale}', de: 'Neu über {sale} entscheiden' },
  reconsiderSale: { en: 'Decide again about a sale of {amount}', de: 'Neu über einen Verkauf von {amount} entscheiden' },
  referral_deactivated: { en: 'The referral was deactivated.', de: 'Die Empfehlung war deaktiviert.' },
  referral_expired: { en: 'The referral had expired.', de: 'Die Empfehlung war abgelaufen.' },
  stillNothing: { en: 'The sale would still earn nothing.', de: 'Der Verkauf brächte weiterhin nichts ein.' },
  unattributed: { en: 'Payments of the last 7 days without an affiliate', de: 'Zahlungen der letzten 7 Tage ohne Partner' },
});
