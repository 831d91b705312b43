import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

/** Texts about the access of an assistant: what it may read, change and pay. */
export const t = texts({
  ...WORDS,
  access: { en: 'Access of the assistant', de: 'Zugriff des Assistenten' },
  addCurrency: { en: 'Add a currency', de: 'Währung hinzufügen' },
  affiliates: { en: 'Affiliates and applications', de: 'Partner und Bewerbungen' },
  allowPromoCodeManagement: { en: 'Allow promo code management', de: 'Verwaltung von Aktionscodes erlauben' },
  amountPerDay: { en: 'Amount per day', de: 'Betrag pro Tag' },
  connectors: { en: 'Audit log', de: 'Protokoll' },
  enterAmount: {
    en: 'Enter an amount in {currency}, e.g. {value}.',
    de: 'Geben Sie einen Betrag in {currency} ein, z. B. {value}.',
  },
  imports: { en: 'Imports from other tools', de: 'Importe aus anderen Werkzeugen' },
  limits: { en: 'Daily limit', de: 'Tageslimit' },
  limitsHint: {
    en: 'The most that the assistant may mark as paid within 24 hours. It may pay nothing in other currencies. No action transfers money.',
    de: 'So viel darf der Assistent höchstens innerhalb von 24 Stunden als bezahlt markieren, in anderen Währungen nichts. Keine Aktion überweist Geld.',
  },
  members: { en: 'Team members', de: 'Teammitglieder' },
  noLimit: { en: 'No limit', de: 'Kein Limit' },
  payout_exports: { en: 'Payout exports', de: 'Exporte von Auszahlungen' },
  payout_outcomes: { en: 'Outcomes of payouts', de: 'Ergebnisse von Auszahlungen' },
  payout_runs: { en: 'Payout runs', de: 'Auszahlungsläufe' },
  portal_tokens: { en: 'Links that open the portal', de: 'Links, die das Portal öffnen' },
  promoCodesHint: {
    en: 'The assistant can also list, import, create, and stop promo codes.',
    de: 'Der Assistent darf auch Aktionscodes auflisten, importieren, anlegen und beenden.',
  },
  records: { en: 'Records', de: 'Daten' },
  referrals: { en: 'Referrals and customers', de: 'Empfehlungen und Kunden' },
  removeCurrency: { en: 'Remove the last currency', de: 'Letzte Währung entfernen' },
  sales: { en: 'Sales and refunds', de: 'Verkäufe und Erstattungen' },
});
