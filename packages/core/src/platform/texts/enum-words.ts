import type { Language } from './texts.ts';

type Words = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** Words for the states of records, inside a sentence. */
export const STATE_WORDS = {
  accepted: { en: 'accepted', de: 'angenommen' },
  approved: { en: 'approved', de: 'freigegeben' },
  arrived: { en: 'arrived', de: 'angekommen' },
  canceled: { en: 'canceled', de: 'abgebrochen' },
  candidate: { en: 'candidate', de: 'vorgemerkt' },
  completed: { en: 'completed', de: 'abgeschlossen' },
  done: { en: 'done', de: 'fertig' },
  draft: { en: 'draft', de: 'Entwurf' },
  due: { en: 'due', de: 'fällig' },
  executing: { en: 'executing', de: 'wird ausgeführt' },
  expired: { en: 'expired', de: 'abgelaufen' },
  failed: { en: 'failed', de: 'gescheitert' },
  in_transit: { en: 'on its way', de: 'unterwegs' },
  open: { en: 'open', de: 'offen' },
  paid: { en: 'paid', de: 'bezahlt' },
  partially_completed: { en: 'partially completed', de: 'teilweise abgeschlossen' },
  paying: { en: 'paying', de: 'wird bezahlt' },
  pending: { en: 'pending', de: 'wartend' },
  planned: { en: 'planned', de: 'geplant' },
  prepared: { en: 'prepared', de: 'vorbereitet' },
  processing: { en: 'processing', de: 'in Arbeit' },
  reading: { en: 'reading', de: 'wird gelesen' },
  ready: { en: 'ready', de: 'bereit' },
  released: { en: 'released', de: 'freigegeben' },
  returned: { en: 'returned', de: 'zurückgekommen' },
  revoked: { en: 'revoked', de: 'zurückgezogen' },
  running: { en: 'running', de: 'läuft' },
  sent: { en: 'sent', de: 'gesendet' },
  succeeded: { en: 'succeeded', de: 'gelungen' },
  unclaimed: { en: 'unclaimed', de: 'nicht angenommen' },
  undoing: { en: 'being undone', de: 'wird rückgängig gemacht' },
  undone: { en: 'undone', de: 'rückgängig gemacht' },
  unknown: { en: 'unknown', de: 'unbekannt' },
  voided: { en: 'voided', de: 'storniert' },
  withdrawn: { en: 'withdrawn', de: 'zurückgezogen' },
} as const satisfies Words;

/** Words for the roles of members. */
export const ROLE_WORDS = {
  viewer: { en: 'viewer', de: 'Betrachter' },
  finance: { en: 'finance', de: 'Finanzen' },
  member: { en: 'member', de: 'Mitglied' },
  admin: { en: 'admin', de: 'Administrator' },
  owner: { en: 'owner', de: 'Inhaber' },
} as const satisfies Words;
