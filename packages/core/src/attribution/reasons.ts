import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const ATTRIBUTION_REASONS = reasons({
  imported_commission: {
    en: 'The commission of this sale was imported. Void it, and add a commission by hand (POST /api/v1/commissions) instead.',
    de: 'Die Provision für diesen Verkauf wurde importiert. Stornieren Sie sie, und legen Sie stattdessen von Hand eine Provision an.',
  },
  affiliate_or_referral: {
    en: 'Send either affiliate_id or referral_id.',
    de: 'Wählen Sie entweder einen Partner oder eine Empfehlung.',
  },
  cannot_earn: { en: 'This affiliate cannot earn from the sale.', de: 'Dieser Partner kann an diesem Verkauf nichts verdienen.' },
  paid_to_other_affiliate: {
    en: 'The commission on this sale is paid to another affiliate. Void the commission first, then assign the sale.',
    de: 'Die Provision für diesen Verkauf ist an einen anderen Partner ausgezahlt. Stornieren Sie erst die Provision, und ordnen Sie dann den Verkauf zu.',
  },
  campaign_required_for_links: {
    en: 'Required if move_links is true. Send the campaign to which the links move.',
    de: 'Wählen Sie die Kampagne, zu der die Links gehören sollen.',
  },
  customer_external_id_taken: { en: 'Another customer has this external_id.', de: 'Ein anderer Kunde hat diese externe ID.' },
  customer_erased: {
    en: 'The personal data of this customer were erased, so no new ones can be stored.',
    de: 'Die persönlichen Daten dieses Kunden wurden gelöscht. Neue lassen sich nicht speichern.',
  },
  same_customer: { en: 'Name another customer.', de: 'Wählen Sie einen anderen Kunden.' },
  other_sale_would_lose: {
    en: 'Another sale of this customer would lose its commission if this sale earned now. Enter a manual commission (POST /api/v1/commissions) instead.',
    de: 'Ein anderer Verkauf an diesen Kunden würde seine Provision verlieren. Fügen Sie stattdessen eine Provision von Hand hinzu.',
  },
  email_of_other_affiliate: {
    en: 'An affiliate with another external_id has this email address.',
    de: 'Ein Partner mit einer anderen externen ID hat diese E-Mail-Adresse.',
  },
});

/** Why an affiliate cannot earn from a sale, by the reason of the decision. */
export const CANNOT_EARN = reasons({
  affiliate_inactive: { en: 'This affiliate is not active.', de: 'Dieser Partner ist nicht aktiv.' },
  campaign_archived: { en: 'The campaign of this affiliate is archived.', de: 'Die Kampagne dieses Partners ist archiviert.' },
  referral_expired: {
    en: 'This referral had expired when the sale was charged. Choose the affiliate instead.',
    de: 'Diese Empfehlung war abgelaufen, als der Verkauf bezahlt wurde. Wählen Sie stattdessen den Partner.',
  },
  referral_deactivated: {
    en: 'This referral is deactivated. Choose the affiliate instead.',
    de: 'Diese Empfehlung ist deaktiviert. Wählen Sie stattdessen den Partner.',
  },
  max_commissions_reached: {
    en: 'The campaign’s limit on commissions is reached. Add a commission by hand instead.',
    de: 'Die Höchstzahl der Provisionen der Kampagne ist erreicht. Fügen Sie stattdessen eine Provision von Hand hinzu.',
  },
  commission_period_over: {
    en: 'The period in which the campaign pays commissions is over. Add a commission by hand instead.',
    de: 'Der Zeitraum, in dem die Kampagne Provisionen zahlt, ist vorbei. Fügen Sie stattdessen eine Provision von Hand hinzu.',
  },
  nothing_to_earn: {
    en: 'This sale has no amount left to earn a commission from.',
    de: 'Von diesem Verkauf ist kein Betrag mehr übrig, der eine Provision einbringt.',
  },
});
