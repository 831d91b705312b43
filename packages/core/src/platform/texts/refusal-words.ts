import { ROLE_WORDS, STATE_WORDS } from './enum-words.ts';
import { reasons } from './reason.ts';

/** States of records, as values of reasons. */
export const STATES = reasons({
  ...STATE_WORDS,
  'being paid': { en: 'being paid', de: 'wird bezahlt' },
  'repeated already': { en: 'repeated already', de: 'schon wiederholt' },
});

export const ROLES_IN_WORDS = reasons({
  ...ROLE_WORDS,
  invitee: { en: 'invitee', de: 'Eingeladener' },
});

/** Names of records in refusals. An entity has the words of its name. */
export const RECORDS = reasons({
  account: { en: 'account', de: 'Konto' },
  'affiliate coupon': { en: 'affiliate coupon', de: 'Gutschein' },
  affiliate: { en: 'affiliate', de: 'Partner' },
  'api key': { en: 'api key', de: 'API-Schlüssel' },
  'API key': { en: 'API key', de: 'API-Schlüssel' },
  application: { en: 'application', de: 'Bewerbung' },
  asset: { en: 'asset', de: 'Datei' },
  campaign: { en: 'campaign', de: 'Kampagne' },
  commission: { en: 'commission', de: 'Provision' },
  connection: { en: 'connection', de: 'Verbindung' },
  connector: { en: 'connector', de: 'Konnektor' },
  customer: { en: 'customer', de: 'Kunde' },
  delivery: { en: 'delivery', de: 'Zustellung' },
  event: { en: 'event', de: 'Ereignis' },
  file: { en: 'file', de: 'Datei' },
  import: { en: 'import', de: 'Import' },
  invitation: { en: 'invitation', de: 'Einladung' },
  link: { en: 'link', de: 'Link' },
  logo: { en: 'logo', de: 'Logo' },
  member: { en: 'member', de: 'Mitglied' },
  membership: { en: 'membership', de: 'Mitgliedschaft' },
  path: { en: 'path', de: 'Adresse' },
  'payout attempt': { en: 'payout attempt', de: 'Zahlungsversuch' },
  'payout batch': { en: 'payout batch', de: 'Stapel' },
  'payout export': { en: 'payout export', de: 'Export' },
  'payout method': { en: 'payout method', de: 'Auszahlungsweg' },
  'payout payment': { en: 'payout payment', de: 'Zahlung' },
  'payout screening': { en: 'payout screening', de: 'Prüfung' },
  'payout rail': { en: 'payout rail', de: 'Auszahlungsweg' },
  'payout run': { en: 'payout run', de: 'Auszahlungslauf' },
  payout: { en: 'payout', de: 'Auszahlung' },
  payout_export: { en: 'payout_export', de: 'Export' },
  payout_run: { en: 'payout_run', de: 'Auszahlungslauf' },
  'pending operation': { en: 'pending operation', de: 'Vorgang' },
  'portal host': { en: 'portal host', de: 'Portal' },
  picture: { en: 'picture', de: 'Bild' },
  portal: { en: 'portal', de: 'Portal' },
  procedure: { en: 'procedure', de: 'Vorgang' },
  'promo code': { en: 'promo code', de: 'Aktionscode' },
  referral: { en: 'referral', de: 'Empfehlung' },
  refund: { en: 'refund', de: 'Erstattung' },
  'reward rule': { en: 'reward rule', de: 'Regel' },
  sale: { en: 'sale', de: 'Verkauf' },
  session: { en: 'session', de: 'Sitzung' },
  'setup link': { en: 'setup link', de: 'Einrichtungslink' },
  'sign-up page': { en: 'sign-up page', de: 'Anmeldeseite' },
  'test purchase': { en: 'test purchase', de: 'Testkauf' },
  tier: { en: 'tier', de: 'Stufe' },
  uri: { en: 'uri', de: 'Adresse' },
  user: { en: 'user', de: 'Person' },
  'webhook endpoint': { en: 'webhook endpoint', de: 'Endpunkt' },
});

export type RecordName = keyof typeof RECORDS;
