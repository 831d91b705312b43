import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/mail-occasions.ts';

export const mailOccasions: TranslationOf<typeof t> = {
  application_approved: 'Eine Bewerbung wurde angenommen.',
  application_received: 'Ein Bewerber hat seine Adresse bestätigt, und die Bewerbung wartet auf eine Entscheidung.',
  application_rejected: 'Eine Bewerbung wurde abgelehnt.',
  commission_digest: 'Ein Tag oder eine Woche mit Provisionen ist vorbei, je nach Wahl des Partners.',
  email_changed_by_merchant:
    'Ihr Team oder eines Ihrer Programme hat die E-Mail-Adresse eines Partners geändert. Sie geht an die frühere Adresse.',
  payout_details_changed: 'Ein Partner hat geändert, wohin ausgezahlt wird. Auch die frühere Adresse erhält diese E-Mail.',
  payout_details_changed_by_merchant:
    'Ihr Team oder eines Ihrer Programme hat geändert, wohin einem Partner ausgezahlt wird. Auch die früheren Adressen erhalten diese E-Mail.',
  payout_details_missing: 'Eine Auszahlung wäre möglich, aber der Partner hat nicht angegeben, wohin. Einmal je Auszahlung.',
  payout_paid: 'Eine Auszahlung wurde bezahlt.',
  terms_changed: 'Eine neue Fassung der Bedingungen wurde veröffentlicht.',
};
