import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const IDENTITY_REASONS = reasons({
  library_said: { en: '{words}', de: 'Diese Angabe wurde nicht angenommen.' },
  other_account_name: {
    en: 'Type the name of the account exactly as it is.',
    de: 'Geben Sie den Namen des Kontos genau so ein, wie er ist.',
  },
  account_being_deleted: {
    en: 'This account is being deleted and can no longer be restored.',
    de: 'Dieses Konto wird gerade gelöscht und lässt sich nicht mehr wiederherstellen.',
  },
  owner_needed: { en: 'Only an owner of the account can do this.', de: 'Das kann nur ein Inhaber des Kontos.' },
  unknown_time_zone: {
    en: 'Enter a time zone of the IANA database, e.g. Europe/Berlin.',
    de: 'Geben Sie eine Zeitzone ein, z. B. Europe/Berlin.',
  },
  role_needed_to_change_account: {
    en: 'You need the role {role} in this account to change it.',
    de: 'Um das Konto zu ändern, brauchen Sie darin die Rolle „{role}“.',
  },
  approval_rules_changed_too_often: {
    en: 'These rules were changed too often within a day. Try again tomorrow.',
    de: 'Diese Regeln wurden innerhalb eines Tages zu oft geändert. Versuchen Sie es morgen noch einmal.',
  },
  no_member: { en: 'You are not a member of this account.', de: 'Sie sind kein Mitglied dieses Kontos.' },
  program_exists: {
    en: 'This installation already has a program. Create another one, or ask an owner for an invitation.',
    de: 'Diese Installation hat schon ein Programm. Legen Sie ein weiteres an, oder bitten Sie einen Inhaber um eine Einladung.',
  },
  no_example: {
    en: 'Only the example can be removed immediately. Delete this account instead.',
    de: 'Nur das Beispiel lässt sich sofort entfernen. Löschen Sie stattdessen dieses Konto.',
  },
  own_program_first: {
    en: 'Start your own program first; then remove the example.',
    de: 'Legen Sie zuerst Ihr eigenes Programm an. Danach können Sie das Beispiel entfernen.',
  },
  time_zone_unknown_to_database: {
    en: 'The database does not know this time zone. Choose another one nearby.',
    de: 'Die Datenbank kennt diese Zeitzone nicht. Wählen Sie eine andere in der Nähe.',
  },
  owner_of_example_needed: { en: 'Only an owner of the example can do this.', de: 'Das kann nur ein Inhaber des Beispiels.' },
  owner_of_program_needed: { en: 'Only an owner of a program can do this.', de: 'Das kann nur ein Inhaber eines Programms.' },
  own_second_factor_first: {
    en: 'First set up your own second factor in your profile.',
    de: 'Richten Sie zuerst in Ihrem Profil Ihren eigenen zweiten Faktor ein.',
  },
  not_in_future: { en: 'Must be in the future.', de: 'Muss in der Zukunft liegen.' },
  expires_after_credential: {
    en: 'This credential expires at {end}. Set expires_at to that time or an earlier one.',
    de: 'Ihr Zugang läuft früher ab. Wählen Sie ein früheres Ablaufdatum.',
  },
  permissions_not_held: {
    en: 'You cannot grant permissions that you do not have yourself.',
    de: 'Sie können keine Rechte vergeben, die Sie selbst nicht haben.',
  },
  credential_has_more_permissions: {
    en: 'This credential has permissions that you do not have. Use a credential with all its permissions, or sign in as an admin.',
    de: 'Dieser Zugang hat Rechte, die Sie nicht haben. Das kann nur ein Administrator.',
  },
  too_many_attempts: {
    en: 'Too many attempts. Try again in {seconds} seconds.',
    de: 'Zu viele Versuche. Versuchen Sie es in {seconds} Sekunden noch einmal.',
  },
  sign_in_link_invalid: {
    en: 'This link has expired or has already been used. Request a new one.',
    de: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  },
  logo_too_large: { en: 'The logo may have at most 512 KiB.', de: 'Das Logo darf höchstens 512 KiB haben.' },
  unknown_image_type: { en: 'Choose a PNG, JPEG or WebP image.', de: 'Wählen Sie ein Bild im Format PNG, JPEG oder WebP.' },
  permission_contradicted: {
    en: 'This field needs the permission {permission}, but the field `permissions` sets that permission to false. Change one of these two fields.',
    de: 'Dazu gehört ein Recht, das unter den Rechten ausgeschaltet ist. Ändern Sie eines von beiden.',
  },
  currency_twice: { en: 'Must name each currency once.', de: 'Jede Währung darf nur einmal vorkommen.' },
  email_of_other_user: { en: 'Another user has this email address.', de: 'Jemand anderes hat diese E-Mail-Adresse.' },
  portal_host_set_meanwhile: {
    en: 'Somebody else has set a host name at the same time. Try again.',
    de: 'Jemand anderes hat gleichzeitig einen Hostnamen eingetragen. Versuchen Sie es noch einmal.',
  },
  slug_of_other_account: {
    en: 'Another account uses this name in its addresses, or has used it. Choose another name.',
    de: 'Ein anderes Konto benutzt diesen Namen in seinen Adressen oder hat ihn benutzt. Wählen Sie einen anderen.',
  },
  owner_needed_for_owners: {
    en: 'Only a signed-in owner can grant or revoke the role owner.',
    de: 'Nur ein angemeldeter Inhaber kann jemanden zum Inhaber machen oder diese Rolle entziehen.',
  },
  role_not_assignable: {
    en: 'This credential cannot assign the role {role}: it lacks the permission {permission}.',
    de: 'Die Rolle „{role}“ können Sie nicht vergeben, weil Ihnen ein Recht dieser Rolle fehlt.',
  },
  last_owner: {
    en: 'An account needs at least one owner. Make another member an owner first.',
    de: 'Ein Konto braucht mindestens einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  },
  password_length: { en: 'Must have 8 to 128 characters.', de: 'Muss 8 bis 128 Zeichen haben.' },
  not_grantable_by_consent: {
    en: 'Not granted by consent: {permissions}.',
    de: 'Einige dieser Rechte lassen sich hier nicht vergeben.',
  },
  no_permission_granted: {
    en: 'Grant at least one permission, or deny access.',
    de: 'Erteilen Sie mindestens ein Recht, oder lehnen Sie den Zugriff ab.',
  },
  no_pay_limit: {
    en: 'Limit how much the assistant may mark as paid per day, or send null.',
    de: 'Legen Sie fest, wie viel der Assistent am Tag als bezahlt markieren darf.',
  },
  members_connect_assistants: {
    en: 'Only members can connect an assistant.',
    de: 'Nur Mitglieder können einen Assistenten verbinden.',
  },
  connection_request_invalid: {
    en: 'This connection request is no longer valid. Start again in the assistant.',
    de: 'Diese Verbindungsanfrage gilt nicht mehr. Beginnen Sie im Assistenten von vorn.',
  },
  connector_revoked: {
    en: 'This connector was revoked. Create another one.',
    de: 'Dieser Konnektor wurde zurückgezogen. Legen Sie einen neuen an.',
  },
  role_of_authorizer_too_low: {
    en: 'The person who connected this assistant has the role {role}, which does not allow: {permissions}.',
    de: 'Die Person, die den Assistenten verbunden hat, ist „{role}“ und hat selbst nicht alle diese Rechte.',
  },
  owner_removes_second_factor: {
    en: 'Only a signed-in owner can remove a second factor.',
    de: 'Nur ein angemeldeter Inhaber kann einen zweiten Faktor entfernen.',
  },
  member_has_no_second_factor: { en: 'This member has no second factor.', de: 'Dieses Mitglied hat keinen zweiten Faktor.' },
  member_of_foreign_account: {
    en: 'This person also belongs to an account that you do not own. Ask the operator of the installation to remove the second factor.',
    de: 'Diese Person gehört auch zu einem Konto, das Ihnen nicht gehört. Bitten Sie den Betreiber der Installation, den zweiten Faktor zu entfernen.',
  },
  no_six_digits: { en: 'Enter the six digits that the app shows.', de: 'Geben Sie die sechs Ziffern ein, die die App zeigt.' },
  wrong_code: {
    en: 'This code is wrong or has already been used. Enter the next code that the app shows.',
    de: 'Dieser Code stimmt nicht oder wurde schon benutzt. Geben Sie den nächsten Code ein, den die App zeigt.',
  },
  wrong_recovery_code: {
    en: 'This recovery code is wrong or has already been used. Enter another recovery code.',
    de: 'Dieser Wiederherstellungscode stimmt nicht oder wurde schon benutzt. Geben Sie einen anderen ein.',
  },
  sign_in_expired: { en: 'This sign-in has expired. Start again.', de: 'Diese Anmeldung ist abgelaufen. Beginnen Sie von vorn.' },
  too_many_wrong_codes: { en: 'Too many wrong codes. Start again.', de: 'Zu viele falsche Codes. Beginnen Sie von vorn.' },
  second_factor_is_on: { en: 'The second factor is already on.', de: 'Der zweite Faktor ist schon eingerichtet.' },
  second_factor_is_off: { en: 'The second factor is off.', de: 'Es ist kein zweiter Faktor eingerichtet.' },
  credential_missing: {
    en: 'Send a valid API key (Authorization: Bearer <key>, Basic with the key as user name, or X-Api-Key), or sign in.',
    de: 'Bitte melden Sie sich an.',
  },
  sign_in_again: { en: 'Sign in again to change this.', de: 'Melden Sie sich erneut an, um das zu ändern.' },
  allowed_hours_empty: {
    en: 'The hours must not begin and end at the same time.',
    de: 'Die Stunden dürfen nicht zugleich beginnen und enden.',
  },
  method_twice: { en: 'Name each method once.', de: 'Jeder Auszahlungsweg darf nur einmal vorkommen.' },
  limit_currency_twice: { en: 'Name each currency once.', de: 'Nennen Sie jede Währung einmal.' },
  key_of_other_mode: {
    en: 'This API key is of {mode} mode. Use a key of the mode in X-Livemode, or a key without a mode.',
    de: 'Dieser API-Schlüssel gehört zum anderen Modus (Live oder Test).',
  },
});

/** Refusals of the sign-in library, by its codes. The English words are its own. */
export const OF_LIBRARY = reasons({
  INVALID_EMAIL_OR_PASSWORD: { en: '{words}', de: 'E-Mail-Adresse oder Passwort stimmt nicht.' },
  INVALID_PASSWORD: { en: '{words}', de: 'Das Passwort stimmt nicht.' },
  INVALID_EMAIL: { en: '{words}', de: 'Diese E-Mail-Adresse ist ungültig.' },
  INVALID_TOKEN: {
    en: '{words}',
    de: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  },
  TOKEN_EXPIRED: { en: '{words}', de: 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.' },
  PASSWORD_TOO_SHORT: { en: '{words}', de: 'Das Passwort ist zu kurz. Es muss mindestens 8 Zeichen haben.' },
  PASSWORD_TOO_LONG: { en: '{words}', de: 'Das Passwort ist zu lang. Es darf höchstens 128 Zeichen haben.' },
  SESSION_EXPIRED: { en: '{words}', de: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an.' },
  SESSION_NOT_FRESH: { en: '{words}', de: 'Ihre Anmeldung liegt zu lange zurück. Melden Sie sich erneut an.' },
});
