import { type Text, render } from '@affiliate/core/browser';

/** Texts of the view. */
const TEXTS = {
  actions: { en: 'Actions', de: 'Aktionen' },
  affiliate: { en: 'Affiliate', de: 'Partner' },
  affiliate_inactive: { en: 'Affiliate inactive', de: 'Partner nicht aktiv' },
  amount: { en: 'Amount', de: 'Betrag' },
  amountTo: { en: '{amount} to {name}', de: '{amount} an {name}' },
  below_minimum: { en: 'Below minimum', de: 'Unter dem Minimum' },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  canceled: { en: 'The assistant canceled the call.', de: 'Der Assistent hat den Aufruf abgebrochen.' },
  claimed: { en: 'In an export or a run', de: 'In einem Export oder Lauf' },
  commissions: { en: 'Commissions', de: 'Provisionen' },
  confirmHold: {
    en: 'Hold {name}? All payouts of this affiliate wait, and new commissions are flagged, until you release them.',
    de: '{name} anhalten? Alle Auszahlungen dieses Partners warten, und neue Provisionen werden markiert, bis Sie ihn freigeben.',
  },
  confirmPay: {
    en: 'Mark {amount} to {name} as paid? No money is sent: send it yourself. This cannot be undone.',
    de: '{amount} an {name} als bezahlt markieren? Es wird kein Geld gesendet: Senden Sie es selbst. Das lässt sich nicht rückgängig machen.',
  },
  confirmRelease: {
    en: 'Release {name}? The payouts of this affiliate can be paid again.',
    de: '{name} freigeben? Die Auszahlungen dieses Partners können wieder bezahlt werden.',
  },
  details_changed: { en: 'Payout details changed', de: 'Zahlungsdaten geändert' },
  doneHold: { en: 'On hold: {name}', de: 'Angehalten: {name}' },
  donePay: { en: 'Marked as paid: {amount} to {name}', de: 'Als bezahlt markiert: {amount} an {name}' },
  doneRelease: { en: 'Released: {name}', de: 'Freigegeben: {name}' },
  due: { en: 'Due', de: 'Fällig' },
  hold: { en: 'Hold', de: 'Anhalten' },
  loading: { en: 'Loading…', de: 'Wird geladen …' },
  screening: { en: 'Comparison with lists', de: 'Vergleich mit Listen' },
  moving_in: { en: 'Moving in', de: 'Umzug' },
  more: { en: 'Show more', de: 'Mehr anzeigen' },
  none: { en: 'No payouts', de: 'Keine Auszahlungen' },
  not_positive: { en: 'Nothing to pay', de: 'Nichts zu zahlen' },
  on_hold: { en: 'On hold', de: 'Angehalten' },
  paid: { en: 'Paid', de: 'Bezahlt' },
  pay: { en: 'Mark as paid', de: 'Als bezahlt markieren' },
  payouts: { en: 'Payouts', de: 'Auszahlungen' },
  pending: { en: 'Pending', de: 'Wartend' },
  processing: { en: 'Processing', de: 'In Arbeit' },
  release: { en: 'Release', de: 'Freigeben' },
  returned: { en: 'Returned', de: 'Zurückgegeben' },
  shown: { en: 'Shown: {shown} of {total}', de: 'Angezeigt: {shown} von {total}' },
  state: { en: 'State', de: 'Status' },
  test_mode: { en: 'Test mode', de: 'Testmodus' },
} as const satisfies Readonly<Record<string, Text>>;

export type TextName = keyof typeof TEXTS;

/** True for a text, e.g. for the name of a state that this version of the view knows. */
export function isTextName(name: string): name is TextName {
  return Object.hasOwn(TEXTS, name);
}

/** Returns a text in the language of a locale, or in English if there is none. */
export function textIn(locale: string, name: TextName, values: Readonly<Record<string, string | number>> = {}): string {
  const language = locale.split('-')[0] === 'de' ? 'de' : 'en';
  return render(TEXTS[name][language], language, values, (number) => number.toLocaleString(locale));
}
