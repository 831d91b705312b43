import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const PROGRAM_REASONS = reasons({
  country_form: {
    en: 'Enter the two letters of the country, e.g. US.',
    de: 'Bitte geben Sie die zwei Buchstaben des Landes ein, z. B. US.',
  },
  campaign_archived: { en: 'This campaign is archived.', de: 'Diese Kampagne ist archiviert.' },
  customer_of_other_referral: {
    en: 'This customer already belongs to another referral.',
    de: 'Dieser Kunde gehört schon zu einer anderen Empfehlung.',
  },
  email_always_sent: { en: 'This email is always sent.', de: 'Diese E-Mail wird immer gesendet.' },
  member_needed_for_test_email: {
    en: 'Only a signed-in member can send a test mail.',
    de: 'Nur ein angemeldetes Mitglied kann eine Test-E-Mail senden.',
  },
  unknown_placeholder: {
    en: 'Unknown placeholder {name}. Use {known}.',
    de: 'Den Platzhalter {name} gibt es nicht. Möglich sind: {known}.',
  },
  affiliate_unsubscribed: {
    en: 'The affiliate has ended these emails. Only the affiliate can start them again, with the link in an earlier email or in the portal.',
    de: 'Der Partner hat diese E-Mails abbestellt. Nur er selbst kann sie wieder bestellen, mit dem Link in einer früheren E-Mail oder im Portal.',
  },
  address_not_blocked: {
    en: 'This address is not blocked, or belongs to none of your affiliates and invited people.',
    de: 'Diese Adresse ist nicht gesperrt oder gehört zu keinem Ihrer Partner und eingeladenen Personen.',
  },
  email_taken_meanwhile: {
    en: 'Another affiliate now has this email address. Change one of the two addresses.',
    de: 'Ein anderer Partner hat jetzt diese E-Mail-Adresse. Ändern Sie eine der beiden Adressen.',
  },
  external_id_taken_meanwhile: {
    en: 'Another affiliate now has this external_id. Change the external_id of one of the two affiliates.',
    de: 'Ein anderer Partner hat jetzt diese externe ID. Ändern Sie die externe ID eines der beiden.',
  },
  person_taken_meanwhile: {
    en: 'Another affiliate now belongs to the same person. Archive that affiliate first.',
    de: 'Zu derselben Person gehört jetzt ein anderer Partner. Archivieren Sie zuerst diesen.',
  },
  campaign_of_affiliate_archived: {
    en: 'The campaign of this affiliate is archived. Restore the campaign first, or choose another one.',
    de: 'Die Kampagne dieses Partners ist archiviert. Stellen Sie zuerst die Kampagne wieder her, oder wählen Sie eine andere.',
  },
  no_default_campaign: {
    en: 'Required, because the account has no default campaign.',
    de: 'Bitte wählen, weil das Konto keine Standardkampagne hat.',
  },
  campaign_slug_form: {
    en: 'Use lowercase letters, digits, and single hyphens, e.g. summer-sale.',
    de: 'Verwenden Sie Kleinbuchstaben, Ziffern und einzelne Bindestriche, z. B. sommer-aktion.',
  },
  archived_default_campaign: {
    en: 'An archived campaign cannot be the default. Restore it first.',
    de: 'Eine archivierte Kampagne kann nicht die Standardkampagne sein. Stellen Sie sie zuerst wieder her.',
  },
  percent_required: { en: 'Required if reward_type is percent.', de: 'Für einen Prozentsatz bitte ausfüllen.' },
  fixed_amount_required: { en: 'Required if reward_type is fixed.', de: 'Für einen festen Betrag bitte ausfüllen.' },
  link_parameter_form: {
    en: 'Use letters, digits, hyphens, and underscores, e.g. ref.',
    de: 'Verwenden Sie Buchstaben, Ziffern, Bindestriche und Unterstriche, z. B. ref.',
  },
  link_parameter_reserved: { en: '`via` and `referral` are always read.', de: '„via“ und „referral“ werden immer gelesen.' },
  slugs_taken: {
    en: 'Every slug derived from this name is taken. Enter a slug.',
    de: 'Alle Kürzel, die zu diesem Namen passen, sind vergeben. Geben Sie ein Kürzel ein.',
  },
  affiliate_email_taken: { en: 'Another affiliate has this email address.', de: 'Ein anderer Partner hat diese E-Mail-Adresse.' },
  affiliate_external_id_taken: { en: 'Another affiliate has this external_id.', de: 'Ein anderer Partner hat diese externe ID.' },
  campaign_external_id_taken: { en: 'Another campaign has this external_id.', de: 'Eine andere Kampagne hat diese externe ID.' },
  link_external_id_taken: { en: 'Another link has this external_id.', de: 'Ein anderer Link hat diese externe ID.' },
  referral_external_id_taken: {
    en: 'Another referral has this external_id.',
    de: 'Eine andere Empfehlung hat diese externe ID.',
  },
  campaign_slug_taken: { en: 'Another campaign already has this slug.', de: 'Eine andere Kampagne hat dieses Kürzel schon.' },
  default_campaign_changed_meanwhile: {
    en: 'Another request changed the default campaign at the same time. Try again.',
    de: 'Jemand anderes hat gleichzeitig die Standardkampagne geändert. Versuchen Sie es noch einmal.',
  },
  invitation_pending: {
    en: 'This address already has a pending invitation of this kind. Resend that invitation.',
    de: 'An diese Adresse ist schon eine Einladung offen. Senden Sie diese noch einmal.',
  },
  link_token_taken: { en: 'Another link already has this token.', de: 'Ein anderer Link hat dieses Kürzel schon.' },
  link_token_reserved: {
    en: 'This code is reserved. Choose another one.',
    de: 'Dieses Kürzel ist reserviert. Wählen Sie ein anderes.',
  },
  link_token_alike: {
    en: 'This code looks like that of another affiliate. Choose another one.',
    de: 'Dieses Kürzel sieht aus wie das eines anderen Partners. Wählen Sie ein anderes.',
  },
  link_token_replaced: {
    en: 'You have changed the code of this link before. Create another link instead.',
    de: 'Sie haben das Kürzel dieses Links schon einmal geändert. Legen Sie stattdessen einen weiteren Link an.',
  },
  required_for_member: {
    en: 'Required to accept a member invitation.',
    de: 'Zum Annehmen der Einladung eines Mitglieds bitte ausfüllen.',
  },
  invitation_expired: {
    en: 'This invitation has expired. Ask for it to be sent again.',
    de: 'Diese Einladung ist abgelaufen. Bitten Sie darum, dass sie noch einmal gesendet wird.',
  },
  invitation_not_pending: {
    en: 'Only a pending invitation can be {done}; this one is {status}.',
    de: 'Das geht nur, solange die Einladung offen ist. Diese ist schon {status}.',
  },
  only_for_members: { en: 'Only allowed if kind is member.', de: 'Nur bei der Einladung eines Mitglieds möglich.' },
  members_in_live_account: {
    en: 'Members belong to the live account. Invite them there.',
    de: 'Mitglieder gehören zum Livemodus. Laden Sie sie dort ein.',
  },
  only_when_accepting: { en: 'Only allowed when accepting an invitation.', de: 'Nur beim Annehmen einer Einladung möglich.' },
  admin_needed_to_accept: {
    en: 'This requires the role admin. With your role, you can only accept invitations to your own email address.',
    de: 'Das erfordert die Rolle „Administrator“. Mit Ihrer Rolle können Sie nur Einladungen an Ihre eigene E-Mail-Adresse annehmen.',
  },
  invitation_just_sent: {
    en: 'This invitation was just sent. Try again in {seconds} seconds.',
    de: 'Diese Einladung wurde gerade gesendet. Versuchen Sie es in {seconds} Sekunden noch einmal.',
  },
  contradicts_campaign_id: {
    en: 'Does not match campaign_id. Send only one of the two fields.',
    de: 'Passt nicht zur Kampagne.',
  },
  only_for_affiliates: { en: 'Only allowed if kind is affiliate.', de: 'Nur bei der Einladung eines Partners möglich.' },
  required_for_affiliate: { en: 'Required if kind is affiliate.', de: 'Für die Einladung eines Partners bitte ausfüllen.' },
  member_already: {
    en: 'This person is already a member of this account.',
    de: 'Diese Person ist schon Mitglied dieses Kontos.',
  },
  contradicts_status: {
    en: 'Must not contradict its aliases status_action and status. Send only one of these fields.',
    de: 'Die Angaben zum Status widersprechen sich.',
  },
  role_only_for_members: { en: 'Only a member invitation has a role.', de: 'Nur die Einladung eines Mitglieds hat eine Rolle.' },
  accepts_for_themselves: {
    en: 'Omit this field: with a session, you can only accept invitations for yourself.',
    de: 'Sie können Einladungen nur für sich selbst annehmen.',
  },
  invitation_of_other_person: {
    en: 'This invitation is for {email}. Only that person can accept it.',
    de: 'Diese Einladung ist für {email}. Nur diese Person kann sie annehmen.',
  },
  no_user_with_invited_email: {
    en: 'No user has this id and the invited email address.',
    de: 'Niemand mit der eingeladenen E-Mail-Adresse hat dieses Benutzerkonto.',
  },
  invitation_of_other_address: {
    en: 'This invitation is for {email}. Sign in with that address to accept it.',
    de: 'Diese Einladung ist für {email}. Melden Sie sich mit dieser Adresse an, um sie anzunehmen.',
  },
  sign_in_to_accept: {
    en: 'Sign in as {email} to accept this invitation.',
    de: 'Melden Sie sich als {email} an, um diese Einladung anzunehmen.',
  },
  required_for_new_user: { en: 'Required for a new user.', de: 'Bitte ausfüllen.' },
  own_token_form: {
    en: 'Use 3 to 64 letters or digits, e.g. ada-2026.',
    de: 'Verwenden Sie 3 bis 64 Buchstaben oder Ziffern, z. B. ada-2026.',
  },
  link_token_form: {
    en: 'Use 1 to 64 letters, digits, hyphens, or underscores, e.g. ada-2026.',
    de: 'Verwenden Sie 1 bis 64 Buchstaben, Ziffern, Bindestriche oder Unterstriche, z. B. ada-2026.',
  },
  affiliate_of_link_archived: {
    en: 'The affiliate of this link is archived. Restore the affiliate first.',
    de: 'Der Partner dieses Links ist archiviert. Stellen Sie zuerst den Partner wieder her.',
  },
  campaign_of_link_archived: {
    en: 'The campaign of this link is archived. Restore the campaign first.',
    de: 'Die Kampagne dieses Links ist archiviert. Stellen Sie zuerst die Kampagne wieder her.',
  },
  affiliate_archived: { en: 'This affiliate is archived.', de: 'Dieser Partner ist archiviert.' },
  link_archived: { en: 'This link is archived.', de: 'Dieser Link ist archiviert.' },
  contradicts_link: {
    en: 'Does not match the link. Omit this field, or send the value that it has on the link.',
    de: 'Passt nicht zum Link.',
  },
  required_without_link: { en: 'Required unless link_id is given.', de: 'Bitte ausfüllen, wenn kein Link gewählt ist.' },
  example_address: {
    en: 'This address belongs to the example data. Enter your own address.',
    de: 'Diese Adresse gehört zu den Beispieldaten. Geben Sie Ihre eigene ein.',
  },
});
