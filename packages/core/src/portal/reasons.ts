import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const PORTAL_REASONS = reasons({
  application_pending: { en: 'Your application has not been approved yet.', de: 'Ihre Bewerbung wurde noch nicht angenommen.' },
  application_rejected: { en: 'Your application was not approved.', de: 'Ihre Bewerbung wurde nicht angenommen.' },
  view_only: {
    en: 'You can look at this portal, but not change anything.',
    de: 'Sie können dieses Portal ansehen, aber nichts ändern.',
  },
  key_reads_only: {
    en: 'This key can read, but not change anything.',
    de: 'Dieser Schlüssel kann lesen, aber nichts ändern.',
  },
  no_longer_active: {
    en: 'You are no longer active in this program. You can read, but not change anything.',
    de: 'Sie sind in diesem Programm nicht mehr aktiv. Sie können lesen, aber nichts ändern.',
  },
  email_sign_in_needed: {
    en: 'To change this, sign in with your email address.',
    de: 'Um das zu ändern, melden Sie sich mit Ihrer E-Mail-Adresse an.',
  },
  portal_session_expired: {
    en: 'This portal has been open for too long. Open it again, or sign in.',
    de: 'Dieses Portal ist schon zu lange geöffnet. Öffnen Sie es neu, oder melden Sie sich an.',
  },
  no_affiliate: { en: 'You are not an affiliate of this account.', de: 'Sie sind kein Partner dieses Kontos.' },
  domain_form: { en: 'Enter a domain, e.g. example.com.', de: 'Geben Sie eine Domain ein, z. B. example.com.' },
  origin_form: {
    en: 'Enter the origin of a site, e.g. https://app.example.com.',
    de: 'Geben Sie die Adresse einer Website ein, z. B. https://app.example.com.',
  },
  slug_form: {
    en: 'Use lowercase letters, digits, and single hyphens, e.g. northwind-tea.',
    de: 'Verwenden Sie Kleinbuchstaben, Ziffern und einzelne Bindestriche, z. B. nordwind-tee.',
  },
  color_form: { en: 'Enter a color, e.g. #1c4ed8.', de: 'Geben Sie eine Farbe ein, z. B. #1c4ed8.' },
  terms_not_accepted: { en: 'Read and accept the terms.', de: 'Lesen und akzeptieren Sie die Bedingungen.' },
  form_sent_too_quickly: {
    en: 'You sent the form very quickly. Wait a moment, then send it again.',
    de: 'Das Formular kam sehr schnell. Warten Sie einen Moment, und senden Sie es noch einmal.',
  },
  form_expired: {
    en: 'This page was open for too long. Reload it.',
    de: 'Diese Seite war zu lange geöffnet. Laden Sie sie neu.',
  },
  form_unreadable: { en: 'Reload the page and try again.', de: 'Laden Sie die Seite neu, und versuchen Sie es noch einmal.' },
  application_link_invalid: {
    en: 'This link has expired or has already been used. Apply again.',
    de: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Bewerben Sie sich noch einmal.',
  },
  last_address: {
    en: 'This is your only payout address. Enter another one first, or you cannot be paid.',
    de: 'Das ist Ihre einzige Auszahlungsadresse. Geben Sie zuerst eine andere ein, sonst können Sie nicht bezahlt werden.',
  },
  too_many_links: {
    en: 'You have {max} links, with archived ones. Use one of them, or ask the program for another.',
    de: 'Sie haben {max} Links, archivierte mitgezählt. Nutzen Sie einen davon, oder bitten Sie das Programm um einen weiteren.',
  },
  too_many_slugs: {
    en: 'An account can have at most {max} slugs over time. Choose one that it had before.',
    de: 'Ein Konto kann im Lauf der Zeit höchstens {max} Namen in Adressen haben. Wählen Sie einen, den es schon hatte.',
  },
  choices_contradict_kind: {
    en: 'Enter at least two choices for a question of kind `choice`, and none for other questions.',
    de: 'Eine Frage mit Auswahl braucht mindestens zwei Antworten, jede andere keine.',
  },
  question_twice: {
    en: 'Two questions are the same. Change or remove one of them.',
    de: 'Zwei Fragen sind gleich. Ändern oder entfernen Sie eine davon.',
  },
  questions_changed: {
    en: 'The questions have changed. Reload the page.',
    de: 'Die Fragen haben sich geändert. Laden Sie die Seite neu.',
  },
  answer_required: { en: 'Answer this question.', de: 'Beantworten Sie diese Frage.' },
  answer_not_offered: { en: 'Choose one of the answers.', de: 'Wählen Sie eine der Antworten.' },
  web_address_form: {
    en: 'Enter a web address, e.g. https://example.com.',
    de: 'Geben Sie eine Webadresse ein, z. B. https://example.com.',
  },
  file_name_form: { en: 'Enter the name of a file, e.g. banner.png.', de: 'Geben Sie einen Dateinamen ein, z. B. banner.png.' },
  file_too_large: { en: 'A file may have at most 5 MiB.', de: 'Eine Datei darf höchstens 5 MiB haben.' },
  file_empty: { en: 'The file is empty.', de: 'Die Datei ist leer.' },
  file_type_not_allowed: {
    en: 'This type of file is not allowed. Choose an image, an MP4 video, a PDF, a ZIP or a text file.',
    de: 'Diese Art von Datei ist nicht erlaubt. Wählen Sie ein Bild, ein MP4-Video, eine PDF-, ZIP- oder Textdatei.',
  },
  file_name_contradicts_content: {
    en: 'The content is {type}. Enter a file name with an extension that matches this type.',
    de: 'Die Endung des Dateinamens passt nicht zum Inhalt ({type}).',
  },
  too_many_files: {
    en: 'An account can have at most {max} files. Delete one first.',
    de: 'Ein Konto kann höchstens {max} Dateien haben. Löschen Sie zuerst eine.',
  },
  terms_published_meanwhile: {
    en: 'Somebody else has published terms at the same time. Try again.',
    de: 'Jemand anderes hat gleichzeitig Bedingungen veröffentlicht. Versuchen Sie es noch einmal.',
  },
  same_address: {
    en: 'This is already your address. Enter another one.',
    de: 'Das ist schon Ihre Adresse. Geben Sie eine andere ein.',
  },
  address_of_other_affiliate: {
    en: 'Another affiliate in this program already uses this address.',
    de: 'Ein anderer Partner in diesem Programm benutzt diese Adresse schon.',
  },
  email_change_link_invalid: {
    en: 'This link has expired or has already been used. Request the change again.',
    de: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Beantragen Sie die Änderung noch einmal.',
  },
  member_needed_to_view: {
    en: 'Only a signed-in member can view the portal as an affiliate.',
    de: 'Nur ein angemeldetes Mitglied kann das Portal wie ein Partner ansehen.',
  },
  second_factor_closes_links: {
    en: 'Links do not open this portal any more, because you have turned on a second factor. Sign in at the service’s own address.',
    de: 'Links öffnen dieses Portal nicht mehr, weil Sie einen zweiten Faktor eingerichtet haben. Melden Sie sich unter der eigenen Adresse des Dienstes an.',
  },
  portal_code_form: { en: 'Enter the 8 digits of the code.', de: 'Geben Sie die 8 Ziffern des Codes ein.' },
  portal_code_invalid: {
    en: 'This code is wrong or has expired. Check the digits, or ask for another code.',
    de: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie die Ziffern, oder fordern Sie einen neuen an.',
  },
  portal_link_invalid: {
    en: 'This link has expired or has already been used. Go back to where you found it and get a new one.',
    de: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Holen Sie sich dort, wo Sie ihn gefunden haben, einen neuen.',
  },
  affiliate_unnamed: {
    en: 'Send email or external_id to name the affiliate.',
    de: 'Nennen Sie den Partner mit seiner E-Mail-Adresse oder externen ID.',
  },
  email_required_for_new_affiliate: {
    en: 'Required, because no affiliate has this external_id yet.',
    de: 'Bitte ausfüllen, weil noch kein Partner diese externe ID hat.',
  },
  external_id_contradicts_email: {
    en: 'The affiliate with this email address has a different external_id. Send that external_id or a different email address.',
    de: 'Der Partner mit dieser E-Mail-Adresse hat eine andere externe ID.',
  },
  affiliate_without_access: {
    en: 'This affiliate has no access to the portal. Approve the affiliate first.',
    de: 'Dieser Partner hat keinen Zugang zum Portal. Nehmen Sie ihn zuerst an.',
  },
  host_name_form: {
    en: 'Enter a host name, e.g. partners.example.com.',
    de: 'Geben Sie einen Hostnamen ein, z. B. partner.example.com.',
  },
  host_name_of_service: {
    en: 'This host name belongs to the service. Enter a host name of your own.',
    de: 'Dieser Hostname gehört zum Dienst. Geben Sie einen eigenen ein.',
  },
  foreign_host: {
    en: 'Enter an address on {host}, e.g. https://{host}/pricing.',
    de: 'Geben Sie eine Adresse auf {host} ein, z. B. https://{host}/preise.',
  },
  unsubscribe_link_invalid: {
    en: 'This link is incomplete or no longer valid. Choose in your profile which emails you get.',
    de: 'Dieser Link ist unvollständig oder gilt nicht mehr. In Ihrem Profil legen Sie fest, welche E-Mails Sie bekommen.',
  },
  accept_terms_first: {
    en: 'Accept the new terms of the program first.',
    de: 'Akzeptieren Sie zuerst die neuen Bedingungen des Programms.',
  },
  terms_changed: {
    en: 'The terms have changed. Read and accept the new ones.',
    de: 'Die Bedingungen haben sich geändert. Lesen und akzeptieren Sie die neuen.',
  },
});
