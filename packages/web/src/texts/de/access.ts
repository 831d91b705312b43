import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/access.ts';

export const access: TranslationOf<typeof t> = {
  access: 'Zugriff des Assistenten',
  addCurrency: 'Währung hinzufügen',
  affiliates: 'Partner und Bewerbungen',
  allowPromoCodeManagement: 'Verwaltung von Aktionscodes erlauben',
  amountPerDay: 'Betrag pro Tag',
  campaigns: 'Kampagnen',
  change: 'Ändern',
  commissions: 'Provisionen',
  connectors: 'Protokoll',
  currency: 'Währung',
  enterAmount: 'Geben Sie einen Betrag in {currency} ein, z. B. {value}.',
  invitations: 'Einladungen',
  limits: 'Tageslimit',
  limitsHint:
    'So viel darf der Assistent höchstens innerhalb von 24 Stunden als bezahlt markieren, in anderen Währungen nichts. Keine Aktion überweist Geld.',
  links: 'Links',
  members: 'Teammitglieder',
  noLimit: 'Kein Limit',
  payout_exports: 'Exporte von Auszahlungen',
  payout_runs: 'Auszahlungsläufe',
  payouts: 'Auszahlungen',
  promoCodesHint: 'Der Assistent darf auch Aktionscodes auflisten, importieren, anlegen und beenden.',
  read: 'Lesen',
  records: 'Daten',
  referrals: 'Empfehlungen und Kunden',
  removeCurrency: 'Letzte Währung entfernen',
  sales: 'Verkäufe und Erstattungen',
  webhooks: 'Webhooks',
};
