import type { EventType } from '@affiliate/core/browser';
import { texts } from './catalogue.ts';

const WORDS: Record<EventType, string> = texts({
  'affiliate.created': { en: 'Affiliate added', de: 'Partner angelegt' },
  'affiliate.approved': { en: 'Affiliate approved', de: 'Partner freigegeben' },
  'affiliate.updated': { en: 'Affiliate changed', de: 'Partner geändert' },
  'affiliate.tier_changed': { en: 'Affiliate reached another tier', de: 'Partner in anderer Stufe' },
  'campaign.created': { en: 'Campaign added', de: 'Kampagne angelegt' },
  'campaign.updated': { en: 'Campaign changed', de: 'Kampagne geändert' },
  'reward_rule.created': { en: 'Reward rule added', de: 'Prämienregel angelegt' },
  'reward_rule.updated': { en: 'Reward rule changed', de: 'Prämienregel geändert' },
  'tier.created': { en: 'Tier added', de: 'Stufe angelegt' },
  'tier.updated': { en: 'Tier changed', de: 'Stufe geändert' },
  'link.created': { en: 'Link added', de: 'Link angelegt' },
  'link.updated': { en: 'Link changed', de: 'Link geändert' },
  'promo_code.created': { en: 'Promo code assigned', de: 'Aktionscode zugewiesen' },
  'promo_code.updated': { en: 'Promo code changed', de: 'Aktionscode geändert' },
  'referral.created': { en: 'Referral', de: 'Empfehlung' },
  'referral.converted': { en: 'Referral converted', de: 'Empfehlung konvertiert' },
  'referral.updated': { en: 'Referral changed', de: 'Empfehlung geändert' },
  'customer.created': { en: 'New customer', de: 'Neuer Kunde' },
  'customer.updated': { en: 'Customer changed', de: 'Kunde geändert' },
  'customer.merged': { en: 'Customers merged', de: 'Kunden zusammengeführt' },
  'sale.recorded': { en: 'Sale', de: 'Verkauf' },
  'sale.refunded': { en: 'Sale refunded', de: 'Verkauf erstattet' },
  'sale.updated': { en: 'Sale changed', de: 'Verkauf geändert' },
  'commission.created': { en: 'Commission earned', de: 'Provision verdient' },
  'commission.due': { en: 'Commission due', de: 'Provision fällig' },
  'commission.paid': { en: 'Commission paid', de: 'Provision bezahlt' },
  'commission.voided': { en: 'Commission voided', de: 'Provision storniert' },
  'commission.updated': { en: 'Commission changed', de: 'Provision geändert' },
  'payout.created': { en: 'Payout opened', de: 'Auszahlung eröffnet' },
  'payout.updated': { en: 'Payout changed', de: 'Auszahlung geändert' },
  'payout.merged': { en: 'Payouts merged', de: 'Auszahlungen zusammengeführt' },
  'payout.paid': { en: 'Payout paid', de: 'Auszahlung bezahlt' },
  'payout.returned': { en: 'Payout returned', de: 'Auszahlung zurückgebucht' },
  'payout.failed': { en: 'Payout failed', de: 'Auszahlung fehlgeschlagen' },
  'payout_method.created': { en: 'Payout details added', de: 'Auszahlungsdaten hinterlegt' },
  'payout_method.updated': { en: 'Payout details changed', de: 'Auszahlungsdaten geändert' },
  'payout_run.finished': { en: 'Payout run finished', de: 'Auszahlungslauf beendet' },
  'payout_export.paid': { en: 'Export paid', de: 'Export bezahlt' },
  'import.completed': { en: 'Import completed', de: 'Import abgeschlossen' },
});

/** Returns what happened, given the type of an event. A type that these pages do not know yet is shown as it is. */
export function eventInWords(type: string): string {
  return Object.hasOwn(WORDS, type) ? WORDS[type as EventType] : type;
}
