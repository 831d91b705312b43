import { inEachLanguage, KIND_WORDS, type Language, ROLE_WORDS, STATE_WORDS } from '@affiliate/core/browser';
import { texts } from './catalogue.ts';

type Words<Name extends string> = Readonly<Record<Name, Readonly<Record<Language, string>>>>;

/** Returns words that stand inside sentences as labels. */
function labels<Name extends string>(words: Words<Name>): Words<Name> {
  const entries = Object.entries<Record<Language, string>>(words);
  return Object.fromEntries(
    entries.map(([name, word]) => [name, inEachLanguage((language) => sentenceCase(word[language]))]),
  ) as Words<Name>;
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Labels of states, roles and reasons, by their names in the API. */
export const t = texts({
  ...labels(STATE_WORDS),
  ...labels(KIND_WORDS),
  ...labels(ROLE_WORDS),
  active: { en: 'Active', de: 'Aktiv' },
  affiliate: { en: 'Affiliate', de: 'Partner' },
  affiliate_inactive: { en: 'Affiliate inactive', de: 'Partner nicht aktiv' },
  amount_mismatch: { en: 'Amount mismatch', de: 'Betrag weicht ab' },
  arrived_after_all: {
    en: 'It was given up, and has been made after all: the payout may be paid twice',
    de: 'Sie war aufgegeben und ist doch erfolgt: Die Auszahlung ist vielleicht doppelt bezahlt',
  },
  before_visit: { en: 'Charged before the visit', de: 'Vor dem Besuch bezahlt' },
  below_minimum: { en: 'Below minimum', de: 'Unter dem Minimum' },
  campaign_archived: { en: 'Campaign archived', de: 'Kampagne archiviert' },
  claimed: { en: 'Claimed', de: 'In Bearbeitung' },
  commission_flagged: { en: 'Commission flagged', de: 'Provision markiert' },
  commission_period_over: { en: 'Commission period over', de: 'Provisionszeitraum vorbei' },
  commission_voided: { en: 'Commission voided', de: 'Provision storniert' },
  conversion: { en: 'Converted', de: 'Konvertiert' },
  deactivated: { en: 'Deactivated', de: 'Deaktiviert' },
  disabled: { en: 'Disabled', de: 'Deaktiviert' },
  draft: { en: 'Stopped', de: 'Angehalten' },
  excluded: { en: 'Excluded', de: 'Ausgenommen' },
  unsupported_amount: { en: 'The amount is too large for this method', de: 'Der Betrag ist für diesen Weg zu groß' },
  fee_exceeds_amount: { en: 'The fee exceeds the amount', de: 'Die Gebühr übersteigt den Betrag' },
  fractional_amount: { en: 'The amount has a fraction', de: 'Der Betrag hat Nachkommastellen' },
  failing: { en: 'Failing', de: 'Scheitert' },
  inactive: { en: 'Inactive', de: 'Inaktiv' },
  invited: { en: 'Invited', de: 'Eingeladen' },
  live_mode: { en: 'Live mode', de: 'Livemodus' },
  manual: { en: 'Added by hand', de: 'Von Hand hinzugefügt' },
  max_commissions_reached: { en: 'Maximum commissions reached', de: 'Höchstzahl der Provisionen erreicht' },
  method_paused: { en: 'The method is paused', de: 'Der Weg ist angehalten' },
  missing_address: { en: 'No address for this method', de: 'Keine Adresse für diesen Weg' },
  missing_payout_details: { en: 'Missing payout details', de: 'Zahlungsdaten fehlen' },
  mixed_currencies: { en: 'Another currency', de: 'Andere Währung' },
  no_referral: { en: 'No referral', de: 'Keine Empfehlung' },
  moving_in: { en: 'Moving in', de: 'Umzug' },
  not_positive: { en: 'Nothing to pay', de: 'Nichts zu zahlen' },
  nothing_charged: { en: 'Nothing charged', de: 'Nichts berechnet' },
  not_due: { en: 'Not due yet', de: 'Noch nicht fällig' },
  nothing_to_earn: { en: 'Nothing to earn', de: 'Nichts zu verdienen' },
  shadow: { en: 'Decided by the former tool', de: 'Vom bisherigen Werkzeug entschieden' },
  screening: { en: 'Comparison with lists', de: 'Vergleich mit Listen' },
  on_hold: { en: 'On hold', de: 'Angehalten' },
  partly_paid: { en: 'Partly paid', de: 'Teilweise bezahlt' },
  paused: { en: 'Paused', de: 'Pausiert' },
  payment_failed: { en: 'Payment failed', de: 'Zahlung fehlgeschlagen' },
  payout_details_changed: { en: 'Payout details changed', de: 'Zahlungsdaten geändert' },
  bank_ach: { en: 'Bank transfer (ACH)', de: 'Überweisung (ACH)' },
  stripe: { en: 'Stripe', de: 'Stripe' },
  wise_aba: { en: 'US account (Wise)', de: 'US-Konto (Wise)' },
  wise_iban: { en: 'Euro account (Wise)', de: 'Euro-Konto (Wise)' },
  wise_sort_code: { en: 'UK account (Wise)', de: 'Britisches Konto (Wise)' },
  bank_sepa: { en: 'Bank transfer (SEPA)', de: 'Überweisung (SEPA)' },
  paypal: { en: 'PayPal', de: 'PayPal' },
  reattributed: { en: 'Reattributed', de: 'Neu zugeordnet' },
  reconsidered: { en: 'Reconsidered', de: 'Neu entschieden' },
  referral_deactivated: { en: 'Referral deactivated', de: 'Empfehlung deaktiviert' },
  referral_expired: { en: 'Referral expired', de: 'Empfehlung abgelaufen' },
  refunded: { en: 'Refunded', de: 'Erstattet' },
  rejected: { en: 'Rejected', de: 'Abgelehnt' },
  rest_canceled: { en: 'Partly paid, rest canceled', de: 'Teilweise bezahlt, Rest abgebrochen' },
  running: { en: 'Importing', de: 'Wird importiert' },
  stopped: { en: 'Stopped', de: 'Beendet' },
  suspicious: { en: 'Flagged', de: 'Markiert' },
  test_mode: { en: 'Test mode', de: 'Testmodus' },
  too_many_items: { en: 'Too many payouts for one batch', de: 'Zu viele Auszahlungen für eine Gruppe' },
  unsafe_address: { en: 'The address looks like a formula', de: 'Die Adresse sieht aus wie eine Formel' },
  unsupported_address: { en: 'The service does not accept the address', de: 'Der Dienst nimmt die Adresse nicht an' },
  unsupported_currency: { en: 'The service does not pay this currency', de: 'Der Dienst zahlt diese Währung nicht' },
  unknown: { en: 'No answer', de: 'Keine Antwort' },
  visitor: { en: 'Visitor', de: 'Besucher' },
  taken_out: { en: 'Taken out of the export', de: 'Aus dem Export herausgenommen' },
});
