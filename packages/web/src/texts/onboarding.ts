import { texts } from './catalogue.ts';

export const t = texts({
  affiliate: { en: 'Add your first affiliate', de: 'Den ersten Partner hinzufügen' },
  affiliateHint: {
    en: 'Add somebody by hand, invite them by email, or let them apply.',
    de: 'Fügen Sie jemanden von Hand hinzu, laden Sie per E-Mail ein, oder nehmen Sie Bewerbungen an.',
  },
  allSteps: { en: 'All steps', de: 'Alle Schritte' },
  campaign: { en: 'Create a campaign', de: 'Eine Kampagne anlegen' },
  campaignHint: { en: 'It sets the landing page and the commission.', de: 'Sie bestimmt die Zielseite und die Provision.' },
  hide: { en: 'Hide', de: 'Ausblenden' },
  progress: { en: '{done} of {all} done', de: '{done} von {all} erledigt' },
  sale: { en: 'See your first sale', de: 'Den ersten Verkauf sehen' },
  saleHint: {
    en: 'Done when the first live sale is recorded. Test sales do not count.',
    de: 'Erledigt, sobald der erste echte Verkauf erfasst ist. Testverkäufe zählen nicht.',
  },
  stepDone: { en: '{step}: done', de: '{step}: erledigt' },
  stripe: { en: 'Connect Stripe, or report sales with the API', de: 'Stripe verbinden oder Verkäufe über die API melden' },
  stripeHint: {
    en: 'Sales, refunds and promo codes are then imported automatically.',
    de: 'Verkäufe, Erstattungen und Aktionscodes kommen dann von selbst.',
  },
  test: { en: 'Make a test visit and a test sale', de: 'Einen Testbesuch und einen Testverkauf machen' },
  testHint: {
    en: 'Follow a link as a customer would. Tests enter no figure.',
    de: 'Folgen Sie einem Link wie ein Kunde. Tests gehen in keine Zahl ein.',
  },
  title: { en: 'Get started', de: 'Erste Schritte' },
  tracking: { en: 'Install tracking on your site', de: 'Die Erfassung auf Ihrer Website einbauen' },
  trackingHint: {
    en: 'Done when the script was seen on your site, or a sale by an affiliate has arrived.',
    de: 'Erledigt, sobald das Skript auf Ihrer Website gesehen wurde oder ein Verkauf durch einen Partner eingegangen ist.',
  },
  webhook: { en: 'Add a webhook endpoint', de: 'Einen Webhook-Endpunkt hinzufügen' },
  webhookHint: {
    en: 'Webhooks tell your systems what happens in the program.',
    de: 'Ihre Systeme erfahren, was im Programm geschieht.',
  },
});
