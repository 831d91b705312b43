import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  rewardsOf: { en: 'Rewards: {name}', de: 'Provisionsregeln: {name}' },
  addCampaign: { en: 'Add campaign', de: 'Kampagne hinzufügen' },
  archiveConsequence: {
    en: 'The campaign is no longer listed and its affiliates stop earning. Its links still redirect to your site. Existing commissions are kept. You can restore it later.',
    de: 'Die Kampagne wird nicht mehr aufgelistet, und ihre Partner verdienen nichts mehr. Ihre Links führen weiter zu Ihrer Website. Bestehende Provisionen bleiben. Sie lässt sich später wiederherstellen.',
  },
  attributionWindowDays: { en: 'Attribution window (days)', de: 'Zuordnungszeitraum (Tage)' },
  couponHint: {
    en: 'Optional. Affiliates’ coupon codes give the discount of this Stripe coupon.',
    de: 'Optional. Die Gutscheincodes der Partner geben dessen Rabatt.',
  },
  default: { en: 'Default', de: 'Standard' },
  defaultHint: {
    en: 'New affiliates join it unless another campaign is selected.',
    de: 'Neue Partner kommen hinein, wenn keine andere Kampagne gewählt wird.',
  },
  description: {
    en: 'Promotions with the terms under which affiliates earn commissions.',
    de: 'Aktionen mit den Bedingungen, zu denen Partner Provisionen verdienen.',
  },
  editNamed: { en: 'Edit {name}', de: '{name} bearbeiten' },
  editOf: { en: 'Edit: {name}', de: 'Bearbeiten: {name}' },
  endsWithIt: {
    en: 'Affected: {affiliates}, {links}, {codes} and {subscriptions}.',
    de: 'Betroffen: {affiliates}, {links}, {codes} und {subscriptions}.',
  },
  enterAmount: {
    en: 'Enter an amount in {currency}, e.g. {value}.',
    de: 'Geben Sie einen Betrag in {currency} ein, z. B. {value}.',
  },
  fixedAmount: { en: 'Fixed amount', de: 'Fester Betrag' },
  holdingPeriodDays: { en: 'Holding period (days)', de: 'Wartezeit (Tage)' },
  landingPage: { en: 'Landing page', de: 'Zielseite' },
  minimumPayoutCurrency: { en: 'Minimum payout currency', de: 'Währung der Mindestauszahlung' },
  noCampaignsHint: {
    en: 'A campaign sets the landing page and the commission. Create one before you add affiliates.',
    de: 'Eine Kampagne bestimmt die Zielseite und die Provision. Legen Sie eine an, bevor Sie Partner hinzufügen.',
  },
  noCampaignsYet: { en: 'No campaigns yet', de: 'Noch keine Kampagnen' },
  noLimitHint: { en: 'Leave empty for no limit.', de: 'Leer lassen für keine Grenze.' },
  otherParameters: { en: 'Other link parameters', de: 'Weitere Link-Parameter' },
  otherParametersHint: {
    en: 'Optional, separated by blanks. Links of a former tool keep working, e.g. ?ref=ada. Then copy the tracking script again from Settings, Tracking.',
    de: 'Optional, durch Leerzeichen getrennt. Links eines früheren Werkzeugs funktionieren weiter, z. B. ?ref=ada. Kopieren Sie danach das Tracking-Skript erneut aus Einstellungen, Tracking.',
  },
  percentage: { en: 'Percentage', de: 'Prozentsatz' },
  private: { en: 'Private', de: 'Privat' },
  privateHint: { en: 'Affiliates can join by invitation only.', de: 'Partner können nur mit Einladung beitreten.' },
  properties: { en: 'Properties', de: 'Eigenschaften' },
  recurringForMonths: { en: 'Recurring for (months)', de: 'Wiederkehrend für (Monate)' },
  shownToAffiliates: { en: 'Shown to affiliates.', de: 'Für Partner sichtbar.' },
  urlHint: { en: 'Your site. Also used for visitors of inactive links.', de: 'Ihre Website. Auch für Besucher inaktiver Links.' },
});
