import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/onboarding.ts';

export const onboarding: TranslationOf<typeof t> = {
  affiliate: 'Den ersten Partner hinzufügen',
  affiliateHint: 'Fügen Sie jemanden von Hand hinzu, laden Sie per E-Mail ein, oder nehmen Sie Bewerbungen an.',
  campaign: 'Eine Kampagne anlegen',
  campaignHint: 'Sie bestimmt die Zielseite und die Provision.',
  hide: 'Ausblenden',
  progress: '{done} von {all} erledigt',
  sale: 'Den ersten Verkauf sehen',
  saleHint: 'Kaufen Sie etwas über den Link eines Partners, z. B. im Testmodus von Stripe.',
  stepDone: '{step}: erledigt',
  stripe: 'Stripe verbinden oder Verkäufe über die API melden',
  stripeHint: 'Verkäufe, Erstattungen und Aktionscodes kommen dann von selbst.',
  title: 'Erste Schritte',
  tracking: 'Die Erfassung auf Ihrer Website einbauen',
  trackingHint: 'Erledigt, sobald der erste Besucher dem Link eines Partners gefolgt ist.',
  webhook: 'Einen Webhook-Endpunkt hinzufügen',
  webhookHint: 'Ihre Systeme erfahren, was im Programm geschieht.',
};
