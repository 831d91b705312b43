import type { ErrorCode } from '@affiliate/client';

/**
 * The German text of each refusal, by its English text in the service. `{}` stands for a value, and `{0}` for the first value, `{1}` for the second. Loaded
 * after the first refusal on a German page.
 */
export const GERMAN: Readonly<Record<string, string>> = {
  // Input of any operation
  'Required.': 'Bitte ausfüllen.',
  'Enter the key, a colon, and the ID of the account or program.':
    'Bitte den Schlüssel, einen Doppelpunkt und die ID des Kontos oder Programms eingeben.',
  'Required for this source.': 'Für diese Quelle bitte ausfüllen.',
  'There is no import from this source.': 'Aus dieser Quelle gibt es keinen Import.',
  'The files have more than 1 MiB together. Import them one after the other.':
    'Die Dateien haben zusammen mehr als 1 MiB. Importieren Sie sie nacheinander.',
  'The key was deleted when the import was done. Enter it again.':
    'Der Schlüssel wurde gelöscht, als der Import fertig war. Geben Sie ihn noch einmal ein.',
  'This is not possible for an import in state {}.': 'Im Zustand {0} ist das bei einem Import nicht möglich.',
  'Must not be empty.': 'Bitte ausfüllen.',
  'Must not be blank.': 'Bitte ausfüllen.',
  'Must be {}.': 'Muss {0} sein.',
  'Must have exactly {}.': 'Muss genau {0} haben.',
  'Must have at least {}.': 'Muss mindestens {0} haben.',
  'Must have at most {}.': 'Darf höchstens {0} haben.',
  'Must be a multiple of {}.': 'Muss ein Vielfaches von {0} sein.',
  'Must be one of: {}.': 'Bitte wählen Sie einen der möglichen Werte.',
  'Must be one of the accepted values.': 'Bitte wählen Sie einen der möglichen Werte.',
  'Has the wrong format.': 'Hat das falsche Format.',
  'The name is empty, too long or has the wrong form.': 'Der Name ist leer, zu lang oder hat die falsche Form.',
  'Does not match any of the accepted formats.': 'Passt zu keinem der möglichen Formate.',
  'No affiliate has the code {}. Assign it (POST /api/v1/promo_codes), then report the sale again.':
    'Kein Affiliate hat den Code {0}. Weisen Sie ihn zu, und melden Sie den Verkauf dann noch einmal.',
  'This is a code of your own shop. No payment provider knows it.':
    'Das ist ein Code Ihres eigenen Shops. Kein Zahlungsanbieter kennt ihn.',
  'Enter a code, because all codes made from the name are taken.':
    'Geben Sie einen Code ein, denn alle Codes aus dem Namen sind vergeben.',
  'This record exists already, so it was not created.': 'Diesen Eintrag gibt es schon. Er wurde nicht noch einmal angelegt.',
  'Unknown field or parameter.': 'Diese Angabe gibt es nicht.',
  'Must not contain control characters.': 'Darf keine Steuerzeichen enthalten.',
  'Must be one line.': 'Muss aus einer einzigen Zeile bestehen.',
  'To change this, sign in with your email address.': 'Um das zu ändern, melden Sie sich mit Ihrer E-Mail-Adresse an.',
  'This credential is of live mode only. Use a key without a mode, or sign in.':
    'Dieser Zugang gilt nur für den Live-Modus. Verwenden Sie einen Schlüssel ohne Modus, oder melden Sie sich an.',
  'This is not a report of a bank about payments. Upload pain.002, camt.053 or camt.054 as your bank has made it.':
    'Das ist keine Meldung einer Bank über Zahlungen. Laden Sie pain.002, camt.053 oder camt.054 hoch, wie Ihre Bank die Datei erstellt hat.',
  'The bank gives no reason.': 'Die Bank nennt keinen Grund.',
  'The bank says {}.': 'Die Bank sagt: {0}.',
  'This file has account numbers. A person downloads it from the page of exports.':
    'Diese Datei enthält Kontonummern. Eine Person lädt sie auf der Seite der Exporte herunter.',
  'There are no reports about files of this format.': 'Zu Dateien dieses Formats gibt es keine Meldungen.',
  'This export is being paid. Try again when it is paid.':
    'Dieser Export wird gerade bezahlt. Versuchen Sie es danach noch einmal.',
  'The bank has paid some payouts of this export. Mark it as paid, and name the others as refused.':
    'Die Bank hat einige Auszahlungen dieses Exports bezahlt. Markieren Sie ihn als bezahlt, und nennen Sie die anderen als abgelehnt.',
  'Another call works on this export. Try again.': 'Ein anderer Aufruf bearbeitet diesen Export. Versuchen Sie es noch einmal.',
  'Enter a routing number of nine digits, e.g. 021000021.':
    'Bitte geben Sie eine Routing Number mit neun Ziffern ein, z. B. 021000021.',
  'Enter an account number of 4 to 17 digits or letters.':
    'Bitte geben Sie eine Kontonummer mit 4 bis 17 Ziffern oder Buchstaben ein.',
  'Enter the 9 or 10 characters that your bank has given you, e.g. 1123456789.':
    'Bitte geben Sie die 9 oder 10 Zeichen ein, die Sie von Ihrer Bank haben, z. B. 1123456789.',
  '{} (payout {}) has not entered a bank account for this file.':
    '{0} (Auszahlung {1}) hat für diese Datei kein Bankkonto angegeben.',
  '{} (payout {}) is above {} {}, the most that a bank takes.':
    '{0} (Auszahlung {1}) liegt über {2} {3}, dem Höchstbetrag der Banken.',
  'Enter an IBAN, e.g. DE89 3704 0044 0532 0130 00.': 'Bitte geben Sie eine IBAN ein, z. B. DE89 3704 0044 0532 0130 00.',
  'Accounts of this country cannot be paid by SEPA.': 'Konten dieses Landes sind mit SEPA nicht erreichbar.',
  'This IBAN has too many or too few characters for its country.': 'Diese IBAN ist für ihr Land zu lang oder zu kurz.',
  'This IBAN has a typing error: its check digits do not fit.':
    'In dieser IBAN ist ein Tippfehler: Die Prüfziffern passen nicht.',
  'Enter a BIC of 8 or 11 characters, e.g. COBADEFFXXX.':
    'Bitte geben Sie einen BIC mit 8 oder 11 Zeichen ein, z. B. COBADEFFXXX.',
  'Enter the name in Latin letters, as the bank has it.':
    'Bitte geben Sie den Namen in lateinischen Buchstaben ein, wie ihn die Bank kennt.',
  'Enter it in Latin letters.': 'Bitte in lateinischen Buchstaben eingeben.',
  'Enter the two letters of the country, e.g. DE.': 'Bitte geben Sie die zwei Buchstaben des Landes ein, z. B. DE.',
  'An address needs town and country.': 'Eine Anschrift braucht Ort und Land.',
  'The service does not send payments by this method.': 'Über diesen Auszahlungsweg verschickt der Dienst keine Zahlungen.',
  'A batch holds at most {} payouts. Make another one for {}.':
    'Ein Stapel enthält höchstens {0} Auszahlungen. Legen Sie für {1} einen weiteren an.',
  'The affiliate has a method of this kind. Change its address instead.':
    'Der Affiliate hat schon einen Auszahlungsweg dieser Art. Ändern Sie stattdessen dessen Adresse.',
  'This method was removed. Add a new one.': 'Dieser Auszahlungsweg wurde entfernt. Fügen Sie einen neuen hinzu.',
  'There is no payout method of this kind with an address.': 'Es gibt keinen Auszahlungsweg dieser Art mit einer Adresse.',
  'Payout {} is not in this export.': 'Die Auszahlung {0} gehört nicht zu diesem Export.',
  'Must be well-formed Unicode.': 'Enthält ungültige Zeichen.',
  'Must be nested at most {} levels deep.': 'Darf höchstens {0} Ebenen tief verschachtelt sein.',
  'Must be base64.': 'Muss in Base64 kodiert sein.',
  'Must be an ISO 4217 currency code, e.g. USD.': 'Muss ein Währungscode nach ISO 4217 sein, z. B. EUR.',
  'Must be an ISO 8601 time with an offset, e.g. 2026-11-20T12:00:00Z (in a query string, write + as %2B).':
    'Muss ein Zeitpunkt nach ISO 8601 sein, z. B. 2026-11-20T12:00:00Z.',
  'Must be between the years 1970 and 2999.': 'Muss zwischen den Jahren 1970 und 2999 liegen.',
  'Must be in the future.': 'Muss in der Zukunft liegen.',
  'Must not be in the future.': 'Darf nicht in der Zukunft liegen.',
  'Must have at most two decimals.': 'Darf höchstens zwei Nachkommastellen haben.',
  'Must not be 0.': 'Darf nicht 0 sein.',
  'Must not be earlier than `since`.': 'Darf nicht vor dem Beginn liegen.',
  'Must not be earlier than `from`.': 'Darf nicht vor dem Beginn liegen.',
  'Must be after from.': 'Muss nach dem Beginn liegen.',
  'Must be sent only once.': 'Darf nur einmal vorkommen.',
  'Must be true or false.': 'Muss wahr oder falsch sein.',
  'Must have at least one pair.': 'Muss mindestens ein Paar haben.',
  'Must have at most {} pairs.': 'Darf höchstens {0} Paare haben.',
  'Must name each currency once.': 'Jede Währung darf nur einmal vorkommen.',
  'Must not exceed amount_cents.': 'Darf nicht größer als der Betrag sein.',
  'Must be 1 to 255 printable ASCII characters.': 'Muss aus 1 bis 255 druckbaren ASCII-Zeichen bestehen.',
  'The range can span at most {} days.': 'Der Zeitraum darf höchstens {0} Tage umfassen.',
  'No such {}.': '{0} nicht gefunden.',
  'The record would have more than {} pairs. Remove pairs by setting them to null.':
    'Es wären mehr als {0} Paare. Entfernen Sie zuerst einige.',
  'Preview this call first, and repeat it with the token that the preview returns.':
    'Sehen Sie sich zuerst die Vorschau an, und bestätigen Sie dann.',
  'This token was used, has expired, or belongs to a call with other arguments. Preview this call again.':
    'Die Vorschau gilt nicht mehr. Sehen Sie sich die Vorschau noch einmal an.',
  'This call would now do something else than its preview showed. Preview it again.':
    'Inzwischen würde etwas anderes geschehen, als die Vorschau zeigte. Sehen Sie sich die Vorschau noch einmal an.',
  'This key was already used with another request. Use a new key.':
    'Diese Anfrage wurde schon mit anderen Angaben gesendet. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'Has at most {} calls. Send them in several batches.': 'Höchstens {0} Anfragen auf einmal. Laden Sie die Seite neu.',

  // Lists
  'Amounts in several currencies cannot be compared. Filter by one currency, e.g. currency={}.':
    'Beträge in verschiedenen Währungen lassen sich nicht vergleichen. Filtern Sie nach einer Währung, z. B. {0}.',
  'Only lists of up to {} records can be sorted by amount. Narrow the list by time, state or amount.':
    'Nur Listen mit bis zu {0} Einträgen lassen sich nach Betrag sortieren. Grenzen Sie die Liste nach Zeit, Status oder Betrag ein.',
  'Must be a cursor of this list. Send a cursor from an earlier response unchanged, with the same `sort` as in that request.':
    'Diese Stelle der Liste gibt es nicht mehr. Beginnen Sie auf der ersten Seite.',
  'Send either `page` or `{}`.': 'Diese Stelle der Liste ist nicht eindeutig. Beginnen Sie auf der ersten Seite.',
  'Send either `starting_after` or `ending_before`.':
    'Diese Stelle der Liste ist nicht eindeutig. Beginnen Sie auf der ersten Seite.',
  'A report by several dimensions can count at most {} clicks. Shorten the range.':
    'Ein Bericht nach mehreren Merkmalen kann höchstens {0} Klicks zählen. Verkürzen Sie den Zeitraum.',
  'Must not be in the past. To see past payouts, list payouts.':
    'Darf nicht in der Vergangenheit liegen. Frühere Auszahlungen stehen in der Liste der Auszahlungen.',

  // Errors without details
  'The body is not valid JSON in UTF-8.': 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.',
  'The request is not valid HTTP.': 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.',
  'The request does not name an account. Send its id in the query parameter account_id or the header X-Account-Id.':
    'Es ist kein Konto gewählt. Laden Sie die Seite neu.',
  'The signature is invalid. Sign the body with the signing secret of a connected account.': 'Die Signatur ist ungültig.',
  'Send a valid API key (Authorization: Bearer <key>, Basic with the key as user name, or X-Api-Key), or sign in.':
    'Bitte melden Sie sich an.',
  'You are not allowed to do this.': 'Das dürfen Sie nicht.',
  'This credential lacks the permission {}.': 'Dazu fehlt Ihnen das Recht.',
  'This exceeds the daily limit of the connector. A person can change the limit in Settings, Connectors.':
    'Das überschreitet die Tagesgrenze des Konnektors. Sie lässt sich in den Einstellungen unter „Konnektoren“ ändern.',
  'This account requires a second factor. Open the account in a browser and set up a second factor.':
    'Dieses Konto verlangt einen zweiten Faktor. Richten Sie ihn in Ihrem Profil ein.',
  'No such record.': 'Das gibt es nicht.',
  'The path does not accept this method.': 'Diese Adresse nimmt die Anfrage nicht an.',
  'This path does not accept {}. Use {}.': 'Diese Adresse nimmt die Anfrage nicht an.',
  'The request did not arrive in time.': 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es noch einmal.',
  'Another request changed this record at the same time. Try again.':
    'Jemand anderes hat das gleichzeitig geändert. Versuchen Sie es noch einmal.',
  'A request with this Idempotency-Key is still running. Send the same request again later, with the same key.':
    'Dieselbe Anfrage läuft noch. Versuchen Sie es gleich noch einmal.',
  'The outcome of an earlier operation on this code is unknown. Send the earlier request again first, with the Idempotency-Key that it had.':
    'Wie ein früherer Vorgang mit diesem Code ausging, ist noch unbekannt. Wiederholen Sie zuerst diesen Vorgang.',
  'The outcome of this operation is still unknown. Send the same request again, with the same Idempotency-Key.':
    'Wie dieser Vorgang ausging, ist noch unbekannt. Versuchen Sie es gleich noch einmal.',
  'The record was changed meanwhile. Retrieve it again, and repeat the change with its new ETag.':
    'Das wurde inzwischen geändert. Laden Sie die Seite neu, und ändern Sie es noch einmal.',
  'The body is larger than 1 MiB.': 'Die Anfrage ist größer als 1 MiB.',
  'Send the body as application/json.': 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.',
  'The request is not valid.': 'Die Angaben sind nicht gültig.',
  'The account is not connected to a payment provider. Connect one in the settings first.':
    'Das Konto ist mit keinem Zahlungsanbieter verbunden. Verbinden Sie es zuerst in den Einstellungen.',
  'Too many requests. Try again later.': 'Zu viele Anfragen. Versuchen Sie es später noch einmal.',
  'Too many requests. Try again in {} seconds.': 'Zu viele Anfragen. Versuchen Sie es in {0} Sekunden noch einmal.',
  'Too many attempts. Try again in {} seconds.': 'Zu viele Versuche. Versuchen Sie es in {0} Sekunden noch einmal.',
  'The URL and the headers together are larger than 16 KiB.': 'Die Adresse ist zu lang.',
  'Something went wrong on our side. Quote the request id when you report it.':
    'Bei uns ist etwas schiefgegangen. Versuchen Sie es später noch einmal.',
  'The service cannot answer right now. Send the request again in a few seconds, with the same Idempotency-Key.':
    'Der Dienst kann gerade nicht antworten. Versuchen Sie es in einigen Sekunden noch einmal.',
  'The payment provider could not be reached. Try again later.':
    'Der Zahlungsanbieter war nicht erreichbar. Versuchen Sie es später noch einmal.',
  'The payment provider did not answer in time. Try again later.':
    'Der Zahlungsanbieter hat nicht rechtzeitig geantwortet. Versuchen Sie es später noch einmal.',
  'The payment provider failed to answer. Try again later.':
    'Der Zahlungsanbieter konnte nicht antworten. Versuchen Sie es später noch einmal.',
  'The payment provider received too many requests. Try again later.':
    'Der Zahlungsanbieter hat zu viele Anfragen bekommen. Versuchen Sie es später noch einmal.',
  'The payment provider sent an unreadable response. Try again later.':
    'Die Antwort des Zahlungsanbieters war nicht lesbar. Versuchen Sie es später noch einmal.',
  'The payment provider does not accept the secret key. Enter a valid one.':
    'Der Zahlungsanbieter nimmt den geheimen Schlüssel nicht an. Geben Sie einen gültigen ein.',
  'The {} {} was deleted.': 'Das wurde beim Zahlungsanbieter gelöscht.',

  // Signing in, second factor, profile
  'Sign in first.': 'Bitte melden Sie sich zuerst an.',
  'Invalid email or password': 'E-Mail-Adresse oder Passwort stimmt nicht.',
  'Invalid password': 'Das Passwort stimmt nicht.',
  'Invalid email': 'Diese E-Mail-Adresse ist ungültig.',
  'Invalid token': 'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  'Token expired': 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.',
  'Password too short': 'Das Passwort ist zu kurz. Es muss mindestens 8 Zeichen haben.',
  'Password too long': 'Das Passwort ist zu lang. Es darf höchstens 128 Zeichen haben.',
  'Session expired. Re-authenticate to perform this action.': 'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an.',
  'Session is not fresh': 'Ihre Anmeldung liegt zu lange zurück. Melden Sie sich erneut an.',
  'Must have 8 to 128 characters.': 'Muss 8 bis 128 Zeichen haben.',
  'This link has expired or has already been used. Request a new one.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  'Enter the six digits that the app shows.': 'Geben Sie die sechs Ziffern ein, die die App zeigt.',
  'This code is wrong or has already been used. Enter the next code that the app shows.':
    'Dieser Code stimmt nicht oder wurde schon benutzt. Geben Sie den nächsten Code ein, den die App zeigt.',
  'This recovery code is wrong or has already been used. Enter another recovery code.':
    'Dieser Wiederherstellungscode stimmt nicht oder wurde schon benutzt. Geben Sie einen anderen ein.',
  'This sign-in has expired. Start again.': 'Diese Anmeldung ist abgelaufen. Beginnen Sie von vorn.',
  'Too many wrong codes. Start again.': 'Zu viele falsche Codes. Beginnen Sie von vorn.',
  'The second factor is already on.': 'Der zweite Faktor ist schon eingerichtet.',
  'The second factor is off.': 'Es ist kein zweiter Faktor eingerichtet.',
  'First set up your own second factor in your profile.': 'Richten Sie zuerst in Ihrem Profil Ihren eigenen zweiten Faktor ein.',
  'Only a signed-in owner can remove a second factor.': 'Nur ein angemeldeter Inhaber kann einen zweiten Faktor entfernen.',
  'This member has no second factor.': 'Dieses Mitglied hat keinen zweiten Faktor.',
  'This person also belongs to an account that you do not own. Ask the operator of the installation to remove the second factor.':
    'Diese Person gehört auch zu einem Konto, das Ihnen nicht gehört. Bitten Sie den Betreiber der Installation, den zweiten Faktor zu entfernen.',
  'This API key is unknown, revoked or expired.': 'Dieser API-Schlüssel ist unbekannt, zurückgezogen oder abgelaufen.',
  'This credential belongs to another account.': 'Dieser Zugang gehört zu einem anderen Konto.',
  'The query and the header name different accounts. Name the account only once.': 'Es sind zwei verschiedene Konten genannt.',
  'This request comes from another site. Send it from the origin of PUBLIC_URL.':
    'Öffnen Sie die Seite unter der Adresse, unter der der Dienst eingerichtet ist.',

  // Account, members, invitations
  'You are not a member of this account.': 'Sie sind kein Mitglied dieses Kontos.',
  'You need the role {} in this account to change it.': 'Um das Konto zu ändern, brauchen Sie darin die Rolle „{0}“.',
  'This requires the role {}, but your role is {}. Ask a member with that role.':
    'Das erfordert die Rolle „{0}“, aber Ihre Rolle ist „{1}“. Bitten Sie ein Mitglied mit dieser Rolle.',
  'Only an owner of the account can do this.': 'Das kann nur ein Inhaber des Kontos.',
  'Only an owner of {} can do this.': 'Das kann nur ein Inhaber {0}.',
  'This installation already has a program. Create another one, or ask an owner for an invitation.':
    'Diese Installation hat schon ein Programm. Legen Sie ein weiteres an, oder bitten Sie einen Inhaber um eine Einladung.',
  'Only the example can be removed immediately. Delete this account instead.':
    'Nur das Beispiel lässt sich sofort entfernen. Löschen Sie stattdessen dieses Konto.',
  'Start your own program first; then remove the example.':
    'Legen Sie zuerst Ihr eigenes Programm an. Danach können Sie das Beispiel entfernen.',
  'This address belongs to the example data. Enter your own address.':
    'Diese Adresse gehört zu den Beispieldaten. Geben Sie Ihre eigene ein.',
  'This account is being deleted and can no longer be restored.':
    'Dieses Konto wird gerade gelöscht und lässt sich nicht mehr wiederherstellen.',
  'Type the name of the account exactly as it is.': 'Geben Sie den Namen des Kontos genau so ein, wie er ist.',
  'Enter a time zone of the IANA database, e.g. Europe/Berlin.': 'Geben Sie eine Zeitzone ein, z. B. Europe/Berlin.',
  'The database does not know this time zone. Choose another one nearby.':
    'Die Datenbank kennt diese Zeitzone nicht. Wählen Sie eine andere in der Nähe.',
  'An account can have at most {} slugs over time. Choose one that it had before.':
    'Ein Konto kann im Lauf der Zeit höchstens {0} Namen in Adressen haben. Wählen Sie einen, den es schon hatte.',
  'Another account uses this name in its addresses, or has used it. Choose another name.':
    'Ein anderes Konto benutzt diesen Namen in seinen Adressen oder hat ihn benutzt. Wählen Sie einen anderen.',
  'Another user has this email address.': 'Jemand anderes hat diese E-Mail-Adresse.',
  'Only a signed-in owner can grant or revoke the role owner.':
    'Nur ein angemeldeter Inhaber kann jemanden zum Inhaber machen oder diese Rolle entziehen.',
  'This credential cannot assign the role {}: it lacks the permission {}.':
    'Die Rolle „{0}“ können Sie nicht vergeben, weil Ihnen ein Recht dieser Rolle fehlt.',
  'An account needs at least one owner. Make another member an owner first.':
    'Ein Konto braucht mindestens einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'Only a pending invitation can be {}; this one is {}.': 'Das geht nur, solange die Einladung offen ist. Diese ist schon {1}.',
  'This invitation has expired. Ask for it to be sent again.':
    'Diese Einladung ist abgelaufen. Bitten Sie darum, dass sie noch einmal gesendet wird.',
  'This invitation is for {}. Only that person can accept it.':
    'Diese Einladung ist für {0}. Nur diese Person kann sie annehmen.',
  'This invitation is for {}. Sign in with that address to accept it.':
    'Diese Einladung ist für {0}. Melden Sie sich mit dieser Adresse an, um sie anzunehmen.',
  'Sign in as {} to accept this invitation.': 'Melden Sie sich als {0} an, um diese Einladung anzunehmen.',
  'This invitation was just sent. Try again in {} seconds.':
    'Diese Einladung wurde gerade gesendet. Versuchen Sie es in {0} Sekunden noch einmal.',
  'This requires the role admin. With your role, you can only accept invitations to your own email address.':
    'Das erfordert die Rolle „Administrator“. Mit Ihrer Rolle können Sie nur Einladungen an Ihre eigene E-Mail-Adresse annehmen.',
  'Does not match campaign_id. Send only one of the two fields.': 'Passt nicht zur Kampagne.',
  'Must not contradict its aliases status_action and status. Send only one of these fields.':
    'Die Angaben zum Status widersprechen sich.',
  'No user has this id and the invited email address.': 'Niemand mit der eingeladenen E-Mail-Adresse hat dieses Benutzerkonto.',
  'Omit this field: with a session, you can only accept invitations for yourself.':
    'Sie können Einladungen nur für sich selbst annehmen.',
  'Only a member invitation has a role.': 'Nur die Einladung eines Mitglieds hat eine Rolle.',
  'Only allowed if kind is affiliate.': 'Nur bei der Einladung eines Partners möglich.',
  'Only allowed if kind is member.': 'Nur bei der Einladung eines Mitglieds möglich.',
  'Only allowed when accepting an invitation.': 'Nur beim Annehmen einer Einladung möglich.',
  'Required if kind is affiliate.': 'Für die Einladung eines Partners bitte ausfüllen.',
  'Required to accept a member invitation.': 'Zum Annehmen der Einladung eines Mitglieds bitte ausfüllen.',
  'Required for a new user.': 'Bitte ausfüllen.',
  'This person is already a member of this account.': 'Diese Person ist schon Mitglied dieses Kontos.',
  'This address already has a pending invitation of this kind. Resend that invitation.':
    'An diese Adresse ist schon eine Einladung offen. Senden Sie diese noch einmal.',

  // API keys, connectors, consent
  'This credential expires at {}. Set expires_at to that time or an earlier one.':
    'Ihr Zugang läuft früher ab. Wählen Sie ein früheres Ablaufdatum.',
  'This credential has permissions that you do not have. Use a credential with all its permissions, or sign in as an admin.':
    'Dieser Zugang hat Rechte, die Sie nicht haben. Das kann nur ein Administrator.',
  'You cannot grant permissions that you do not have yourself.': 'Sie können keine Rechte vergeben, die Sie selbst nicht haben.',
  'This field needs the permission {}, but the field `permissions` sets that permission to false. Change one of these two fields.':
    'Dazu gehört ein Recht, das unter den Rechten ausgeschaltet ist. Ändern Sie eines von beiden.',
  'Only members can connect an assistant.': 'Nur Mitglieder können einen Assistenten verbinden.',
  'Grant at least one permission, or deny access.': 'Erteilen Sie mindestens ein Recht, oder lehnen Sie den Zugriff ab.',
  'Limit how much the assistant may mark as paid per day, or send null.':
    'Legen Sie fest, wie viel der Assistent am Tag als bezahlt markieren darf.',
  'Not granted by consent: {}.': 'Einige dieser Rechte lassen sich hier nicht vergeben.',
  'This connection request is no longer valid. Start again in the assistant.':
    'Diese Verbindungsanfrage gilt nicht mehr. Beginnen Sie im Assistenten von vorn.',
  'This connector was revoked. Create another one.': 'Dieser Konnektor wurde zurückgezogen. Legen Sie einen neuen an.',
  'The person who connected this assistant has the role {}, which does not allow: {}.':
    'Die Person, die den Assistenten verbunden hat, ist „{0}“ und hat selbst nicht alle diese Rechte.',

  // Campaigns, links, affiliates
  'Use lowercase letters, digits, and single hyphens, e.g. summer-sale.':
    'Verwenden Sie Kleinbuchstaben, Ziffern und einzelne Bindestriche, z. B. sommer-aktion.',
  'Use lowercase letters, digits, and single hyphens, e.g. northwind-tea.':
    'Verwenden Sie Kleinbuchstaben, Ziffern und einzelne Bindestriche, z. B. nordwind-tee.',
  'Use letters, digits, hyphens, and underscores, e.g. ref.':
    'Verwenden Sie Buchstaben, Ziffern, Bindestriche und Unterstriche, z. B. ref.',
  'Use 1 to 64 letters, digits, hyphens, or underscores, e.g. ada-2026.':
    'Verwenden Sie 1 bis 64 Buchstaben, Ziffern, Bindestriche oder Unterstriche, z. B. ada-2026.',
  'Use letters, digits, and hyphens only, e.g. JANE20.': 'Verwenden Sie nur Buchstaben, Ziffern und Bindestriche, z. B. JANE20.',
  '`via` and `referral` are always read.': '„via“ und „referral“ werden immer gelesen.',
  'An archived campaign cannot be the default. Restore it first.':
    'Eine archivierte Kampagne kann nicht die Standardkampagne sein. Stellen Sie sie zuerst wieder her.',
  'Required if reward_type is fixed.': 'Für einen festen Betrag bitte ausfüllen.',
  'Required if reward_type is percent.': 'Für einen Prozentsatz bitte ausfüllen.',
  'Every slug derived from this name is taken. Enter a slug.':
    'Alle Kürzel, die zu diesem Namen passen, sind vergeben. Geben Sie ein Kürzel ein.',
  'Another campaign already has this slug.': 'Eine andere Kampagne hat dieses Kürzel schon.',
  'Another campaign has this external_id.': 'Eine andere Kampagne hat diese externe ID.',
  'Another request changed the default campaign at the same time. Try again.':
    'Jemand anderes hat gleichzeitig die Standardkampagne geändert. Versuchen Sie es noch einmal.',
  'Another link already has this token.': 'Ein anderer Link hat dieses Kürzel schon.',
  'Another link has this external_id.': 'Ein anderer Link hat diese externe ID.',
  'Another affiliate has this email address.': 'Ein anderer Partner hat diese E-Mail-Adresse.',
  'Another affiliate has this external_id.': 'Ein anderer Partner hat diese externe ID.',
  'Another referral has this external_id.': 'Eine andere Empfehlung hat diese externe ID.',
  'Required, because the account has no default campaign.': 'Bitte wählen, weil das Konto keine Standardkampagne hat.',
  'No such campaign.': 'Kampagne nicht gefunden.',
  'No such affiliate.': 'Partner nicht gefunden.',
  'No such customer.': 'Kunde nicht gefunden.',
  'No such referral.': 'Empfehlung nicht gefunden.',
  'No such webhook endpoint.': 'Endpunkt nicht gefunden.',
  'This campaign is archived.': 'Diese Kampagne ist archiviert.',
  'This affiliate is archived.': 'Dieser Partner ist archiviert.',
  'This link is archived.': 'Dieser Link ist archiviert.',
  'The campaign of this affiliate is archived. Restore the campaign first, or choose another one.':
    'Die Kampagne dieses Partners ist archiviert. Stellen Sie zuerst die Kampagne wieder her, oder wählen Sie eine andere.',
  'The campaign of this link is archived. Restore the campaign first.':
    'Die Kampagne dieses Links ist archiviert. Stellen Sie zuerst die Kampagne wieder her.',
  'The affiliate of this link is archived. Restore the affiliate first.':
    'Der Partner dieses Links ist archiviert. Stellen Sie zuerst den Partner wieder her.',
  'Another affiliate now belongs to the same person. Archive that affiliate first.':
    'Zu derselben Person gehört jetzt ein anderer Partner. Archivieren Sie zuerst diesen.',
  'Another affiliate now has this email address. Change one of the two addresses.':
    'Ein anderer Partner hat jetzt diese E-Mail-Adresse. Ändern Sie eine der beiden Adressen.',
  'Another affiliate now has this external_id. Change the external_id of one of the two affiliates.':
    'Ein anderer Partner hat jetzt diese externe ID. Ändern Sie die externe ID eines der beiden.',
  'Required if move_links is true. Send the campaign to which the links move.':
    'Wählen Sie die Kampagne, zu der die Links gehören sollen.',
  'The personal data of this affiliate were erased, so it cannot be changed any more.':
    'Die persönlichen Daten dieses Partners wurden gelöscht. Er lässt sich nicht mehr ändern.',
  'An affiliate with another external_id has this email address.':
    'Ein Partner mit einer anderen externen ID hat diese E-Mail-Adresse.',
  'An export or a run holds {}, a payout of this affiliate. Finish or release it first.':
    'Ein Export oder Lauf enthält {0}, eine Auszahlung dieses Partners. Schließen Sie ihn ab, oder geben Sie die Auszahlung zuerst frei.',
  'Required unless link_id is given.': 'Bitte ausfüllen, wenn kein Link gewählt ist.',
  'Does not match the link. Omit this field, or send the value that it has on the link.': 'Passt nicht zum Link.',

  // Sales, customers, refunds
  'Another customer has this external_id.': 'Ein anderer Kunde hat diese externe ID.',
  'Name another customer.': 'Wählen Sie einen anderen Kunden.',
  'The personal data of this customer were erased, so no new ones can be stored.':
    'Die persönlichen Daten dieses Kunden wurden gelöscht. Neue lassen sich nicht speichern.',
  'This referral already belongs to another customer.': 'Diese Empfehlung gehört schon zu einem anderen Kunden.',
  'This customer already belongs to another referral.': 'Dieser Kunde gehört schon zu einer anderen Empfehlung.',
  'Send either affiliate_id or referral_id.': 'Wählen Sie entweder einen Partner oder eine Empfehlung.',
  'The commission of this sale was imported. Void it, and add a commission by hand (POST /api/v1/commissions) instead.':
    'Die Provision für diesen Verkauf wurde importiert. Stornieren Sie sie, und legen Sie stattdessen von Hand eine Provision an.',
  'The commission on this sale is paid to another affiliate. Void the commission first, then assign the sale.':
    'Die Provision für diesen Verkauf ist an einen anderen Partner ausgezahlt. Stornieren Sie erst die Provision, und ordnen Sie dann den Verkauf zu.',
  'Another sale of this customer would lose its commission if this sale earned now. Enter a manual commission (POST /api/v1/commissions) instead.':
    'Ein anderer Verkauf an diesen Kunden würde seine Provision verlieren. Fügen Sie stattdessen eine Provision von Hand hinzu.',
  'This affiliate cannot earn from the sale.': 'Dieser Partner kann an diesem Verkauf nichts verdienen.',
  'This affiliate is not active.': 'Dieser Partner ist nicht aktiv.',
  'The campaign of this affiliate is archived.': 'Die Kampagne dieses Partners ist archiviert.',
  'The period in which the campaign pays commissions is over. Add a commission by hand instead.':
    'Der Zeitraum, in dem die Kampagne Provisionen zahlt, ist vorbei. Fügen Sie stattdessen eine Provision von Hand hinzu.',
  'The campaign’s limit on commissions is reached. Add a commission by hand instead.':
    'Die Höchstzahl der Provisionen der Kampagne ist erreicht. Fügen Sie stattdessen eine Provision von Hand hinzu.',
  'This sale has no amount left to earn a commission from.':
    'Von diesem Verkauf ist kein Betrag mehr übrig, der eine Provision einbringt.',
  'This referral is deactivated. Choose the affiliate instead.':
    'Diese Empfehlung ist deaktiviert. Wählen Sie stattdessen den Partner.',
  'This referral had expired when the sale was charged. Choose the affiliate instead.':
    'Diese Empfehlung war abgelaufen, als der Verkauf bezahlt wurde. Wählen Sie stattdessen den Partner.',
  'The amounts of this sale come from the payment provider. Change the payment there, e.g. by a refund or another invoice.':
    'Die Beträge dieses Verkaufs kommen vom Zahlungsanbieter. Ändern Sie die Zahlung dort, z. B. durch eine Erstattung oder eine weitere Rechnung.',
  'Must not be less than the refunds of this sale.': 'Darf nicht kleiner als die Erstattungen dieses Verkaufs sein.',
  'The currency of a sale cannot change from {}. Refund this sale, and report another one.':
    'Die Währung {0} eines Verkaufs lässt sich nicht ändern. Erstatten Sie diesen Verkauf, und melden Sie einen neuen.',
  'All refunds of this sale together would exceed its charge.':
    'Alle Erstattungen dieses Verkaufs zusammen wären höher als die Zahlung.',
  'The lines must not add up to more than amount_cents.': 'Die Zeilen dürfen zusammen nicht mehr als den Betrag ergeben.',
  'The lines of this sale are not known. Report the refund without lines.':
    'Die Zeilen dieses Verkaufs sind nicht bekannt. Melden Sie die Erstattung ohne Zeilen.',
  'The refunds of this product would exceed its lines.': 'Die Erstattungen dieses Produkts wären höher als seine Zeilen.',
  'The sale has no line with this product.': 'Der Verkauf hat keine Zeile mit diesem Produkt.',
  'This refund belongs to another sale.': 'Diese Erstattung gehört zu einem anderen Verkauf.',
  'A refund with this refund_id was reported with another amount_cents. The stored refund is in details.refund. To refund more, report another refund under its own refund_id. To correct what the affiliate earned, enter a manual commission (POST /api/v1/commissions).':
    'Diese Erstattung wurde schon mit einem anderen Betrag gemeldet. Melden Sie weitere Erstattungen unter einer eigenen ID.',
  'A sale with this external_id was reported with other values ({}). The stored sale is in details.sale. To correct it, change its amounts (PATCH /api/v1/sales/{id}), report a refund (POST /track/refunds), adjust what the affiliate earned with a manual commission (POST /api/v1/commissions), or change the customer (PATCH /api/v1/referrals/{id}). Report another sale under its own external_id.':
    'Ein Verkauf mit dieser externen ID wurde schon mit anderen Werten gemeldet. Ändern Sie den gespeicherten Verkauf.',
  'No sale has this external_id. Report the sale first.': 'Kein Verkauf hat diese externe ID. Melden Sie zuerst den Verkauf.',
  'Send at least one of referral_id, customer_email, psp_customer_id, external_customer_id and promo_code.':
    'Nennen Sie die Empfehlung, den Kunden oder den Aktionscode.',
  'This payment was reported before, under another external_id. Use that external_id.':
    'Diese Zahlung aus Stripe wurde schon unter einer anderen externen ID gemeldet. Verwenden Sie diese.',
  'Send token, passed_referral_id, or both.': 'Dieser Besuch nennt keinen Link.',

  // Commissions, payouts, exports, runs
  'A voided commission cannot be marked paid or unpaid.':
    'Eine stornierte Provision lässt sich nicht als bezahlt oder unbezahlt markieren.',
  'This sale has changed since you looked at it. Look at it again.':
    'Der Verkauf hat sich inzwischen geändert. Sehen Sie ihn sich noch einmal an.',
  'Only a paid bonus, reward for a lead or milestone that facts contradict can be kept or reconsidered.':
    'Nur ein gezahlter Bonus oder eine gezahlte Prämie für einen Interessenten oder Meilenstein, denen Tatsachen widersprechen, kann bestehen bleiben oder neu entschieden werden.',
  'A {} commission cannot be reviewed.': 'Provisionen mit dem Status „{0}“ lassen sich nicht prüfen.',
  'Another commission has this external_id.': 'Eine andere Provision hat diese externe ID.',
  'Another payout has this external_id.': 'Eine andere Auszahlung hat diese externe ID.',
  'This commission is in a payout that is {}. Void the commission instead: that reduces the next payout.':
    'Diese Provision ist in einer Auszahlung mit dem Status „{0}“. Stornieren Sie stattdessen die Provision: Das verringert die nächste Auszahlung.',
  'An export or a run has claimed this payout. Pay it through that export or run, or release the payout first.':
    'Diese Auszahlung ist in einem Export oder Lauf. Bezahlen Sie sie dort, oder geben Sie sie zuerst frei.',
  'There is nothing to pay: this payout is zero or negative. A negative amount is deducted from later commissions. If you settled an adjustment in another way, void it or mark it paid.':
    'Es ist nichts zu zahlen: Diese Auszahlung ist null oder negativ. Ein negativer Betrag wird von späteren Provisionen abgezogen. Haben Sie eine Korrektur anders ausgeglichen, dann stornieren Sie sie, oder markieren Sie sie als bezahlt.',
  'The service does not send this payment.': 'Der Dienst sendet diese Zahlung nicht.',
  'This attempt is {}.': 'Dieser Versuch hat den Status „{0}“.',
  'Payments of this method cannot be called back.': 'Zahlungen auf diesem Weg lassen sich nicht zurückrufen.',
  'This attempt is {}, so it cannot be called back.':
    'Dieser Versuch hat den Status „{0}“ und lässt sich deshalb nicht zurückrufen.',
  'You have prepared these payments. Somebody else has to approve them.':
    'Sie haben diese Zahlungen vorbereitet. Jemand anderes muss sie freigeben.',
  'This batch is approved already.': 'Diese Zahlungen sind schon freigegeben.',
  'All payments of this batch are sent, withdrawn or ended.': 'Alle diese Zahlungen sind gesendet, zurückgezogen oder beendet.',
  'This batch is {}.': 'Diese Zahlungen haben den Status „{0}“.',
  'This attempt is {}. Only an unknown outcome is decided.':
    'Dieser Versuch hat den Status „{0}“. Nur über einen unbekannten Ausgang wird entschieden.',
  'The service still finds out whether this payment was made. Decide when the attempt has the reason `key_expired` or `amount_mismatch`.':
    'Der Dienst fragt noch, ob diese Zahlung erfolgt ist. Entscheiden Sie, wenn er nicht mehr fragt.',
  'This attempt is {}, so there is nothing to withdraw.':
    'Dieser Versuch hat den Status „{0}“, also gibt es nichts zurückzuziehen.',
  'An export or a run has prepared this attempt. Delete the export, or cancel the run.':
    'Dieser Versuch gehört zu einem Export oder einem Lauf. Löschen Sie den Export, oder brechen Sie den Lauf ab.',
  'There is no payment provider of this kind.': 'Diese Art von Zahlungsanbieter gibt es nicht.',
  'In test mode, enter a key of the payment provider’s test mode.':
    'Geben Sie im Testmodus einen Schlüssel aus dem Testmodus des Zahlungsanbieters ein.',
  'Must not be more than the amount.': 'Darf nicht mehr als der Betrag sein.',
  'Must have an id, an external_id, or an email.': 'Braucht eine Kennung oder eine E-Mail-Adresse.',
  'Signed facts have no account.': 'Zu signierten Meldungen gehört kein Konto bei einem Anbieter.',
  'Create and change the code at your provider, and tell it as code.seen.':
    'Legen Sie den Code bei Ihrem Anbieter an oder ändern Sie ihn dort, und melden Sie ihn als code.seen.',
  'No code.seen has told of this code.': 'Dieser Code wurde nicht als code.seen gemeldet.',
  'Must be whsec_ and 24 to 64 bytes in base64, or whpk_ and 32 bytes.':
    'Muss whsec_ und 24 bis 64 Bytes in Base64 sein, oder whpk_ und 32 Bytes.',
  'Make the new secret at the provider, and enter it as webhook_secret.':
    'Erzeugen Sie das neue Geheimnis beim Zahlungsanbieter, und geben Sie es hier ein.',
  'The payment provider does not accept the key. Enter a valid one.':
    'Der Zahlungsanbieter nimmt den Schlüssel nicht an. Geben Sie einen gültigen ein.',
  'The key lacks a permission. Add it at the payment provider.':
    'Dem Schlüssel fehlt eine Berechtigung. Ergänzen Sie sie beim Zahlungsanbieter.',
  'The payment provider does not know this record.': 'Der Zahlungsanbieter kennt diesen Eintrag nicht.',
  'The payment provider refused the request ({}).': 'Der Zahlungsanbieter hat die Anfrage abgelehnt ({0}).',
  'The answer of the payment provider could not be read.': 'Die Antwort des Zahlungsanbieters war nicht lesbar.',
  'An object of the payment provider could not be read.': 'Ein Objekt des Zahlungsanbieters war nicht lesbar.',
  'The token belongs to no organization.': 'Der Token gehört zu keiner Organisation.',
  'The key belongs to no business.': 'Der Schlüssel gehört zu keinem Unternehmen.',
  'The key knows no store with this ID.': 'Der Schlüssel kennt keinen Store mit dieser ID.',
  'This is not a key of the payment provider.': 'Das ist kein Schlüssel des Zahlungsanbieters.',
  'This is not a public address.': 'Das ist keine öffentliche Adresse.',
  'The payment provider does not know yet who sent the customer.':
    'Der Zahlungsanbieter weiß noch nicht, wer den Kunden geschickt hat.',
  'This account at the payment provider is connected already, as {}.':
    'Dieses Konto beim Zahlungsanbieter ist schon verbunden, als {0}.',
  'Connect your account at {} first (payout_rails), in the mode of the payouts.':
    'Verbinden Sie zuerst Ihr Konto bei {0}, im Modus der Auszahlungen.',
  'There is no service of this kind that can be connected.': 'Es gibt keinen Dienst dieser Art, der sich verbinden lässt.',
  'In test mode, enter credentials of the test mode.': 'Geben Sie im Testmodus Zugangsdaten des Testmodus ein.',
  'An account of this kind is connected already, as {}. Remove it first.':
    'Ein Konto dieser Art ist schon verbunden, als {0}. Entfernen Sie es zuerst.',
  '{} is in {}, which this method does not pay.': '{0} ist in {1}, das dieser Weg nicht zahlt.',
  '{} (payout {}) has an address of more than {} characters, which PayPal does not accept.':
    '{0} (Auszahlung {1}) hat eine Adresse mit mehr als {2} Zeichen, die PayPal nicht annimmt.',
  '{} did not answer.': '{0} hat nicht geantwortet.',
  'The answer of {} could not be read.': 'Die Antwort von {0} war nicht lesbar.',
  '{} refused the request ({}).': '{0} hat die Anfrage abgelehnt ({1}).',
  '{} has several transfers of this payment.': '{0} hat mehrere Überweisungen dieser Zahlung.',
  '{} has another transfer by this id.': '{0} hat unter dieser ID eine andere Überweisung.',
  'Enter the id of an account at Stripe, e.g. acct_1032D82eZvKYlo2C.':
    'Bitte geben Sie die ID eines Kontos bei Stripe ein, z. B. acct_1032D82eZvKYlo2C.',
  'Enter a restricted key, e.g. rk_live_….': 'Bitte geben Sie einen eingeschränkten Schlüssel ein, z. B. rk_live_….',
  'Wise refused the request ({}).': 'Wise hat die Anfrage abgelehnt ({0}).',
  'Wise names a state that is not known.': 'Wise nennt einen unbekannten Zustand.',
  'Wise has another transfer by this id.': 'Wise hat unter dieser ID eine andere Überweisung.',
  'Wise did not take the money from the balance ({}).': 'Wise hat das Geld nicht vom Guthaben genommen ({0}).',
  'The token belongs to no profile of a business, or to several. Enter profile_id.':
    'Das Token gehört zu keinem Profil eines Unternehmens oder zu mehreren. Geben Sie die Profil-ID ein.',
  'The token does not belong to this profile.': 'Das Token gehört nicht zu diesem Profil.',
  '{} (payout {}) needs a first and a last name in Latin letters, because Wise asks for them.':
    '{0} (Auszahlung {1}) braucht einen Vor- und einen Nachnamen in lateinischen Buchstaben, weil Wise danach fragt.',
  'Enter the full name in Latin letters, as the bank has it.':
    'Bitte geben Sie den vollständigen Namen in lateinischen Buchstaben ein, so wie ihn die Bank hat.',
  'Enter a sort code of six digits, e.g. 04-00-75.': 'Bitte geben Sie einen Sort Code mit sechs Ziffern ein, z. B. 04-00-75.',
  'Enter an account number of eight digits, e.g. 37778842.':
    'Bitte geben Sie eine Kontonummer mit acht Ziffern ein, z. B. 37778842.',
  'Enter the two letters of the state, e.g. NY.': 'Bitte geben Sie die zwei Buchstaben des Bundesstaats ein, z. B. NY.',
  'Enter the two letters of the country, e.g. US.': 'Bitte geben Sie die zwei Buchstaben des Landes ein, z. B. US.',
  'Enter the number of the profile, e.g. 16055450.': 'Bitte geben Sie die Nummer des Profils ein, z. B. 16055450.',
  'Enter the three letters of a currency, e.g. EUR.': 'Bitte geben Sie die drei Buchstaben einer Währung ein, z. B. EUR.',
  'PayPal refused the request ({}).': 'PayPal hat die Anfrage abgelehnt ({0}).',
  'Name each currency once.': 'Nennen Sie jede Währung einmal.',
  'Somebody else has to approve these payments. Prepare them as a batch, and have it approved.':
    'Jemand anders muss diese Zahlungen freigeben. Bereiten Sie sie als Stapel vor, und lassen Sie ihn freigeben.',
  'With these payments, more {} would be sent within a day than the account allows.':
    'Mit diesen Zahlungen würden innerhalb eines Tages mehr {0} gesendet, als das Konto erlaubt.',
  'These rules were changed too often within a day. Try again tomorrow.':
    'Diese Regeln wurden innerhalb eines Tages zu oft geändert. Versuchen Sie es morgen noch einmal.',
  'Only a signed-in person approves payments.': 'Nur eine angemeldete Person gibt Zahlungen frei.',
  'This batch has no payments to approve.': 'Dieser Stapel hat keine Zahlungen, die freizugeben wären.',
  'These payments have changed. Look at them again.': 'Diese Zahlungen haben sich geändert. Sehen Sie sie noch einmal an.',
  'PayPal has another batch by this id.': 'PayPal hat unter dieser ID andere Zahlungen.',
  'PayPal has another payment by this id.': 'PayPal hat unter dieser ID eine andere Zahlung.',
  'PayPal names a state that is not known.': 'PayPal nennt einen unbekannten Zustand.',
  'This payout is already paid.': 'Diese Auszahlung ist schon bezahlt.',
  'This payout was returned, and its commissions are in another payout. Pay that payout instead.':
    'Diese Auszahlung kam zurück, und ihre Provisionen sind in einer anderen Auszahlung. Bezahlen Sie diese.',
  'This payout is not paid, so there is nothing to return.': 'Diese Auszahlung ist nicht bezahlt, also kann nichts zurückkommen.',
  'No payout is eligible now. The ineligible_reasons of each payout say why.':
    'Im Moment kann keine Auszahlung bezahlt werden. Bei jeder Auszahlung steht, warum.',
  'No such payout: {}.': 'Auszahlung nicht gefunden: {0}.',
  '{} is not eligible: {}.': '{0} kann noch nicht bezahlt werden. Bei der Auszahlung steht, warum.',
  '{} is a live payout. Export live payouts with livemode true.':
    '{0} ist eine Auszahlung im Livemodus. Wechseln Sie in den Livemodus.',
  '{} is a test payout. Export test payouts with livemode false.':
    '{0} ist eine Auszahlung im Testmodus. Wechseln Sie in den Testmodus.',
  '{} is in {}, but other payouts are in {}. Make one export per currency.':
    '{0} ist in {1}, andere Auszahlungen sind in {2}. Legen Sie für jede Währung einen Export an.',
  '{}: PayPal pays {} in whole units only, so it cannot pay {}.':
    '{0}: PayPal zahlt {1} nur in ganzen Einheiten und kann deshalb {2} nicht zahlen.',
  'A {} file holds at most {} payouts. Make another export for {}.':
    'Eine Datei für {0} fasst höchstens {1} Auszahlungen. Legen Sie für {2} einen weiteren Export an.',
  '{} (payout {}) has no {} address.': '{0} (Auszahlung {1}) hat keine Adresse für {2}.',
  '{} (payout {}) has a {} address that starts like a spreadsheet formula. Correct it first.':
    '{0} (Auszahlung {1}) hat eine Adresse für {2}, die wie eine Formel beginnt. Berichtigen Sie sie zuerst.',
  '{} must not be paid as exported: {}. Delete the export and create it again or, if the money was sent already, repeat the request with already_sent true.':
    '{0} darf nicht so bezahlt werden, wie es exportiert wurde: {1}. Löschen Sie den Export, und legen Sie ihn neu an. Wurde das Geld schon gesendet, dann bestätigen Sie das beim Bezahlen.',
  'This export no longer holds all of its payouts. Reconcile the payouts to see the differences.':
    'Dieser Export enthält nicht mehr alle seine Auszahlungen. Prüfen Sie die Auszahlungen auf Unterschiede.',
  'This export is already {}.': 'Dieser Export hat schon den Status „{0}“.',
  'This export is {}; its payouts can no longer be released.':
    'Dieser Export hat den Status „{0}“. Seine Auszahlungen lassen sich nicht mehr freigeben.',
  'This connector has daily limits. Create the run first, then execute it.':
    'Dieser Konnektor hat Tagesgrenzen. Legen Sie zuerst den Lauf an, und führen Sie ihn dann aus.',
  'This key was already used for a run with other parameters. Use a new key.':
    'Ein Lauf mit diesem Schlüssel wurde schon mit anderen Angaben angelegt. Laden Sie die Seite neu.',
  'This run has been completed, so there is nothing left to cancel.':
    'Dieser Lauf ist abgeschlossen. Es gibt nichts mehr abzubrechen.',
  'This run is canceled.': 'Dieser Lauf ist abgebrochen.',
  'This action is not allowed while the run is {}.': 'Das geht nicht, während der Lauf den Status „{0}“ hat.',
  'Payout {} is not a {} item of this run.': 'Die Auszahlung {0} hat in diesem Lauf nicht den Status „{1}“.',
  'The action `cancel` applies to the whole run. To remove single items, use the action `exclude`.':
    'Abbrechen gilt für den ganzen Lauf. Einzelne Auszahlungen nehmen Sie aus.',

  // Promo codes and coupons
  'The affiliate already has a coupon.': 'Der Partner hat schon einen Gutschein.',
  'The coupon and the connection to the payment provider are in different modes (live and test). Connect the account in the mode of the coupon.':
    'Der Gutschein und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Verbinden Sie das Konto im Modus des Gutscheins.',
  'Send `code`, `active`, or both.': 'Ändern Sie den Code, oder schalten Sie ihn ein oder aus.',
  'Another request has just assigned the new promotion code. Check the affiliate’s codes before you try again.':
    'Der neue Aktionscode wurde gerade schon zugeordnet. Sehen Sie sich die Codes des Partners an, bevor Sie es noch einmal versuchen.',
  'Another request just assigned this promotion code.': 'Dieser Aktionscode wurde gerade schon zugeordnet.',
  'The affiliate’s campaign has no coupon of the payment provider. Set the campaign’s psp_coupon_id first.':
    'Die Kampagne des Partners hat keinen Gutschein des Zahlungsanbieters. Tragen Sie ihn zuerst bei der Kampagne ein.',
  'The operation and the connection to the payment provider are in different modes (live and test). Connect the account in the mode of the operation.':
    'Der Vorgang und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Verbinden Sie das Konto im Modus des Vorgangs.',
  'Not allowed if mode is create.': 'Beim Anlegen eines neuen Codes nicht möglich.',
  'Only allowed if mode is create.': 'Nur beim Anlegen eines neuen Codes möglich.',
  'Required if mode is create.': 'Für einen neuen Code bitte ausfüllen.',
  'Required unless mode is create.': 'Wählen Sie einen vorhandenen Code.',
  'Required when dry_run is false. Choose a unique value, and send the same value when you retry.':
    'Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'The affiliate already has this promotion code.': 'Der Partner hat diesen Aktionscode schon.',
  'The account is connected to the payment provider’s test mode, but this API key is of live mode.':
    'Das Konto ist mit dem Testmodus von Stripe verbunden, dieser API-Schlüssel gehört aber zum Livemodus.',
  'The affiliate is not active. Activate the affiliate first.': 'Der Partner ist nicht aktiv. Aktivieren Sie ihn zuerst.',
  'The affiliate’s campaign is archived. Restore it, or move the affiliate to another campaign first.':
    'Die Kampagne des Partners ist archiviert. Stellen Sie sie wieder her, oder wählen Sie für den Partner eine andere.',
  'The promotion code and the connection to the payment provider are in different modes (live and test). Connect the account in the mode of the code.':
    'Der Aktionscode und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Verbinden Sie das Konto im Modus des Codes.',
  'The promotion code and the connection to the payment provider are in different modes (live and test). Choose a code of the connected mode.':
    'Der Aktionscode und die Verbindung zum Zahlungsanbieter sind in verschiedenen Modi (Live und Test). Wählen Sie einen Code des verbundenen Modus.',
  'The payment provider no longer has this promotion code.': 'Beim Zahlungsanbieter gibt es diesen Aktionscode nicht mehr.',
  'The payment provider already has an active promotion code with this text. Choose another text.':
    'Beim Zahlungsanbieter gibt es schon einen aktiven Aktionscode mit diesem Text. Wählen Sie einen anderen.',
  'The coupon can no longer be redeemed. Choose another coupon.':
    'Der Gutschein lässt sich nicht mehr einlösen. Wählen Sie einen anderen.',
  'The payment provider has no coupon with this ID in this mode (live or test).':
    'Beim Zahlungsanbieter gibt es in diesem Modus (Live oder Test) keinen Gutschein mit dieser ID.',
  'The payment provider has no promotion code with this ID in this mode (live or test).':
    'Beim Zahlungsanbieter gibt es in diesem Modus (Live oder Test) keinen Aktionscode mit dieser ID.',
  'This promotion code belongs to another affiliate. Codes cannot be transferred.':
    'Dieser Aktionscode gehört einem anderen Partner. Codes lassen sich nicht übertragen.',
  'This promotion code is already the affiliate’s coupon.': 'Dieser Aktionscode ist schon der Gutschein des Partners.',
  'Tracking of this promotion code was stopped. A code cannot be reactivated.':
    'Dieser Aktionscode wird nicht mehr verfolgt und lässt sich nicht wieder aktivieren.',
  'Only one customer can redeem this code.': 'Nur ein Kunde kann diesen Code einlösen.',
  'The payment provider does not currently redeem this code.': 'Der Zahlungsanbieter löst diesen Code zurzeit nicht ein.',

  // Reasons why events of the payment provider have no effect
  'The event contains nothing of use.': 'Das Ereignis enthält nichts, was gebraucht wird.',
  'The event belongs to the platform’s own account, and not to the connected account {}.':
    'Das Ereignis gehört zum eigenen Konto der Plattform und nicht zum verbundenen Konto {0}.',
  'The event belongs to the connected account {}.': 'Das Ereignis gehört zum verbundenen Konto {0}.',
  'The event and the connection are in different modes (live and test).':
    'Das Ereignis und die Verbindung haben verschiedene Modi (Live und Test).',
  'Missing or invalid fields: {}.': 'Diese Felder fehlen oder sind ungültig: {0}.',
  'The subscription names no referral, and has neither a trial nor a promotion code.':
    'Das Abonnement nennt keine Empfehlung und hat weder eine Testphase noch einen Aktionscode.',
  'The subscription names no referral, and has neither a new trial nor a new promotion code.':
    'Das Abonnement nennt keine Empfehlung und hat weder eine neue Testphase noch einen neuen Aktionscode.',
  'Nothing was paid, and the invoice names no referral.': 'Es wurde nichts bezahlt, und die Rechnung nennt keine Empfehlung.',
  'The payment intent names no referral. The event of its charge reports the payment.':
    'Der PaymentIntent nennt keine Empfehlung. Die Zahlung meldet das Ereignis seiner Belastung.',
  'The charge is only authorized. Another event reports when it is captured.':
    'Die Zahlung ist nur reserviert. Ein anderes Ereignis meldet, wenn sie eingezogen wird.',
  'The credit note belongs to no invoice.': 'Die Gutschrift gehört zu keiner Rechnung.',

  // Reward rules and tiers
  'Use a country code of two capital letters, e.g. DE.': 'Verwenden Sie einen Ländercode aus zwei Großbuchstaben, z. B. DE.',
  'At most 10 keys.': 'Höchstens 10 Schlüssel.',
  'This rule has ended. Create a new rule.': 'Diese Regel ist beendet. Legen Sie eine neue an.',
  'This tier has ended. Create a new tier.': 'Diese Stufe ist beendet. Legen Sie eine neue an.',
  'This tier belongs to another campaign.': 'Diese Stufe gehört zu einer anderen Kampagne.',
  'A tier of revenue has a currency, and no other tier has one.':
    'Eine Stufe nach Umsatz hat eine Währung, jede andere Stufe hat keine.',
  'A milestone counts the sales of an affiliate, not of a link.':
    'Ein Meilenstein zählt die Verkäufe eines Partners, nicht eines Links.',
  'A rule on top must pay something.': 'Eine zusätzliche Regel muss etwas zahlen.',
  'Give exactly one of every and at.': 'Wählen Sie entweder „alle“ oder „bei“.',
  'Give exactly one of percent, fixed and nothing.': 'Wählen Sie genau eines: Prozentsatz, fester Betrag oder nichts.',
  'Must be at least 100 cents.': 'Muss mindestens 1,00 sein.',
  'No sale can be in this range.': 'In diesem Bereich kann kein Verkauf liegen.',
  'A rule has at most 16 KiB. Use fewer values.': 'Eine Regel hat höchstens 16 KiB. Verwenden Sie weniger Werte.',
  'The rules of a campaign have at most 256 KiB together. End one of them, or use fewer values.':
    'Die Regeln einer Kampagne haben zusammen höchstens 256 KiB. Beenden Sie eine davon, oder verwenden Sie weniger Werte.',
  'The answer would have more than 32 MiB. Ask for fewer records at a time, e.g. by filters, or download the list as CSV.':
    'Die Antwort hätte mehr als 32 MiB. Fragen Sie weniger Einträge auf einmal ab, z. B. mit Filtern, oder laden Sie die Liste als CSV herunter.',
  'No such rule of this campaign that has not ended.': 'Diese Kampagne hat keine solche Regel, die noch gilt.',
  'No such rule of this campaign.': 'Diese Kampagne hat keine solche Regel.',
  'Only rules of leads have this.': 'Das haben nur Regeln für Interessenten.',
  'Only rules of milestones have this.': 'Das haben nur Regeln für Meilensteine.',
  'Only rules of sales have a cap.': 'Eine Obergrenze haben nur Regeln für Verkäufe.',
  'Only rules of sales pay on top.': 'Zusätzlich zahlen nur Regeln für Verkäufe.',
  'Pay a fixed amount, once.': 'Zahlen Sie einmal einen festen Betrag.',
  'Rules of a {} cannot have this condition.': 'Regeln für „{0}“ können diese Bedingung nicht haben.',
  'Say what the rule counts.': 'Geben Sie an, was die Regel zählt.',
  'This campaign has {} rules already. End one of them first.':
    'Diese Kampagne hat schon {0} Regeln. Beenden Sie zuerst eine davon.',
  'This link belongs to another affiliate.': 'Dieser Link gehört einem anderen Partner.',
  'This link belongs to another campaign.': 'Dieser Link gehört zu einer anderen Kampagne.',
  'This rule is listed twice.': 'Diese Regel kommt doppelt vor.',
  'Give one of create, update, end, rule_ids and base, or several.':
    'Es gibt noch keine Änderung, deren Wirkung sich berechnen ließe.',

  // Payment provider, test mode
  'Enter a key of Stripe metadata, at most 40 characters, e.g. customer_id.':
    'Geben Sie einen Schlüssel der Metadaten in Stripe ein, höchstens 40 Zeichen, z. B. customer_id.',
  'Enter a signing secret, e.g. whsec_….': 'Geben Sie einen Signaturschlüssel ein, z. B. whsec_….',
  'Enter the ID of a connected account, e.g. acct_1032D82eZvKYlo2C.':
    'Geben Sie die ID eines verbundenen Kontos ein, z. B. acct_1032D82eZvKYlo2C.',
  'Enter a secret key of the payment provider, e.g. sk_test_… or rk_live_….':
    'Geben Sie einen geheimen Schlüssel des Zahlungsanbieters ein, z. B. sk_test_… oder rk_live_….',
  'In test mode, enter a key of the payment provider’s test mode, e.g. rk_test_….':
    'Geben Sie im Testmodus einen Schlüssel des Testmodus ein, z. B. rk_test_….',
  'The key lacks permissions: {}. Add them to the key in Stripe.':
    'Dem Schlüssel fehlen Rechte: {0}. Fügen Sie sie in Stripe hinzu.',
  'The key lacks the permission Webhook Endpoints (write). Connect with a key that has it.':
    'Dem Schlüssel fehlt das Recht „Webhook Endpoints (write)“. Verbinden Sie das Konto mit einem Schlüssel, der es hat.',
  'The key lacks the permission Checkout Sessions (write). Add it to the key at the payment provider.':
    'Dem Schlüssel fehlt das Recht „Checkout Sessions (write)“. Fügen Sie es beim Zahlungsanbieter hinzu.',
  'A test purchase needs a key of the provider’s test mode, e.g. rk_test_…. The connected key is live.':
    'Ein Testkauf braucht einen Schlüssel des Testmodus des Anbieters, z. B. rk_test_…. Der verbundene Schlüssel gehört zum Livemodus.',
  'No link can earn. Create an active affiliate with a link first.':
    'Kein Link kann etwas verdienen. Legen Sie zuerst einen aktiven Partner mit einem Link an.',
  'This API key is of live mode. Use a key of test mode, or a key without a mode.':
    'Dieser API-Schlüssel gehört zum Livemodus. Verwenden Sie einen des Testmodus oder einen ohne Modus.',
  'In {} mode, livemode can only be {}.': 'Dieser Wert gehört zum anderen Modus (Live oder Test).',
  'This API key is of {} mode. Use a key of the mode in X-Livemode, or a key without a mode.':
    'Dieser API-Schlüssel gehört zum anderen Modus (Live oder Test).',
  'The request names a test account and live mode. Name the live account.':
    'Die Anfrage passt nicht zum Modus (Live oder Test). Laden Sie die Seite neu.',
  'Members belong to the live account. Invite them there.': 'Mitglieder gehören zum Livemodus. Laden Sie sie dort ein.',
  'The test clock can be at most ten years ahead. Delete the test data, which sets it back.':
    'Die Testuhr darf höchstens zehn Jahre vorgehen. Löschen Sie die Testdaten, dann wird sie zurückgestellt.',
  'This sale is of test mode, which a key of live mode does not see.':
    'Dieser Verkauf gehört zum Testmodus, den ein Schlüssel des Livemodus nicht sieht.',
  'Records are being added in test mode. Stop the programs that add them, and try again.':
    'Im Testmodus kommen gerade Datensätze hinzu. Halten Sie die Programme an, die sie hinzufügen, und versuchen Sie es noch einmal.',
  'This works only in test mode. Use an API key of test mode.': 'Das geht nur im Testmodus.',
  'Give either days or to.': 'Geben Sie entweder Tage oder einen Zeitpunkt an.',
  'The test clock can be moved by at most 366 days at once.':
    'Die Testuhr lässt sich auf einmal um höchstens 366 Tage vorstellen.',
  'The test clock shows {}. It can only be moved forward.': 'Die Testuhr lässt sich nur vorstellen.',
  'The signature is valid, but the body is not an event of the payment provider.':
    'Die Signatur stimmt, aber der Inhalt ist kein Ereignis des Zahlungsanbieters.',

  // Webhooks
  'Enter a complete URL, e.g. https://example.com/webhooks.':
    'Geben Sie eine vollständige Adresse ein, z. B. https://example.com/webhooks.',
  'The URL must start with https:// or http://.': 'Die Adresse muss mit https:// oder http:// beginnen.',
  'The URL is longer than {} characters.': 'Die Adresse ist länger als {0} Zeichen.',
  'The URL must not contain a user name or password.': 'Die Adresse darf keinen Benutzernamen und kein Passwort enthalten.',
  'The port must be 80, 443 or at least 1024, and must not be a usual port of an email or database server.':
    'Der Port muss 80, 443 oder mindestens 1024 sein und darf kein üblicher Port eines Mail- oder Datenbankservers sein.',
  'The host {} could not be resolved. Check the URL.': 'Der Host {0} wurde nicht gefunden. Prüfen Sie die Adresse.',
  'The host {} has a private address. Webhooks are only sent to public addresses.':
    'Der Host {0} hat eine private Adresse. Webhooks werden nur an öffentliche Adressen gesendet.',
  'Remove the duplicate event type.': 'Entfernen Sie das doppelte Ereignis.',
  'An account can have at most {} endpoints. Delete one first.':
    'Ein Konto kann höchstens {0} Endpunkte haben. Löschen Sie zuerst einen.',
  'This endpoint is inactive. Activate it first.': 'Dieser Endpunkt ist inaktiv. Aktivieren Sie ihn zuerst.',
  'The endpoint of this delivery has been deleted, so the delivery cannot be repeated.':
    'Der Endpunkt dieser Zustellung wurde gelöscht. Sie lässt sich nicht wiederholen.',

  // Emails
  'Only a signed-in member can send a test mail.': 'Nur ein angemeldetes Mitglied kann eine Test-E-Mail senden.',
  'This email is always sent.': 'Diese E-Mail wird immer gesendet.',
  'Unknown placeholder {{{}}}. Use {}.': 'Den Platzhalter {{{0}}} gibt es nicht. Möglich sind: {1}.',
  'This address is not blocked, or belongs to none of your affiliates and invited people.':
    'Diese Adresse ist nicht gesperrt oder gehört zu keinem Ihrer Partner und eingeladenen Personen.',

  // Portal and sign-up
  'Sign in again to change this.': 'Melden Sie sich erneut an, um das zu ändern.',
  'This portal has been open for too long. Open it again, or sign in.':
    'Dieses Portal ist schon zu lange geöffnet. Öffnen Sie es neu, oder melden Sie sich an.',
  'You are no longer active in this program. You can read, but not change anything.':
    'Sie sind in diesem Programm nicht mehr aktiv. Sie können lesen, aber nichts ändern.',
  'You are not an affiliate of this account.': 'Sie sind kein Partner dieses Kontos.',
  'You can look at this portal, but not change anything.': 'Sie können dieses Portal ansehen, aber nichts ändern.',
  'Your application has not been approved yet.': 'Ihre Bewerbung wurde noch nicht angenommen.',
  'Your application was not approved.': 'Ihre Bewerbung wurde nicht angenommen.',
  'Enter a color, e.g. #1c4ed8.': 'Geben Sie eine Farbe ein, z. B. #1c4ed8.',
  'Enter a domain, e.g. example.com.': 'Geben Sie eine Domain ein, z. B. example.com.',
  'Enter the origin of a site, e.g. https://app.example.com.':
    'Geben Sie die Adresse einer Website ein, z. B. https://app.example.com.',
  'You sent the form very quickly. Wait a moment, then send it again.':
    'Das Formular kam sehr schnell. Warten Sie einen Moment, und senden Sie es noch einmal.',
  'Read and accept the terms.': 'Lesen und akzeptieren Sie die Bedingungen.',
  'Reload the page and try again.': 'Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'This page was open for too long. Reload it.': 'Diese Seite war zu lange geöffnet. Laden Sie sie neu.',
  'This link has expired or has already been used. Apply again.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Bewerben Sie sich noch einmal.',
  'The questions have changed. Reload the page.': 'Die Fragen haben sich geändert. Laden Sie die Seite neu.',
  'Enter at least two choices for a question of kind `choice`, and none for other questions.':
    'Eine Frage mit Auswahl braucht mindestens zwei Antworten, jede andere keine.',
  'Two questions are the same. Change or remove one of them.': 'Zwei Fragen sind gleich. Ändern oder entfernen Sie eine davon.',
  'Answer this question.': 'Beantworten Sie diese Frage.',
  'Choose one of the answers.': 'Wählen Sie eine der Antworten.',
  'Enter a web address, e.g. https://example.com.': 'Geben Sie eine Webadresse ein, z. B. https://example.com.',
  'Enter the name of a file, e.g. banner.png.': 'Geben Sie einen Dateinamen ein, z. B. banner.png.',
  'A file may have at most 5 MiB.': 'Eine Datei darf höchstens 5 MiB haben.',
  'The logo may have at most 512 KiB.': 'Das Logo darf höchstens 512 KiB haben.',
  'Choose a PNG, JPEG or WebP image.': 'Wählen Sie ein Bild im Format PNG, JPEG oder WebP.',
  'An account can have at most {} files. Delete one first.':
    'Ein Konto kann höchstens {0} Dateien haben. Löschen Sie zuerst eine.',
  'The content is {}. Enter a file name with an extension that matches this type.':
    'Die Endung des Dateinamens passt nicht zum Inhalt ({0}).',
  'The file is larger than {}.': 'Die Datei ist größer als {0}.',
  'The file is empty.': 'Die Datei ist leer.',
  'This type of file is not allowed. Choose an image, an MP4 video, a PDF, a ZIP or a text file.':
    'Diese Art von Datei ist nicht erlaubt. Wählen Sie ein Bild, ein MP4-Video, eine PDF-, ZIP- oder Textdatei.',
  'Send the bytes of the file as the body of the REST operation.': 'Die Datei kam nicht an. Versuchen Sie es noch einmal.',
  'Send the bytes of the file as the body, e.g. with Content-Type: image/png.':
    'Die Datei kam nicht an. Versuchen Sie es noch einmal.',
  'A content encoding is not supported here. Send the file as it is.': 'Die Datei kam nicht an. Versuchen Sie es noch einmal.',
  'The connection ended before the whole file arrived.':
    'Die Verbindung brach ab, bevor die ganze Datei ankam. Versuchen Sie es noch einmal.',
  'Somebody else has published terms at the same time. Try again.':
    'Jemand anderes hat gleichzeitig Bedingungen veröffentlicht. Versuchen Sie es noch einmal.',
  'Somebody else has set a host name at the same time. Try again.':
    'Jemand anderes hat gleichzeitig einen Hostnamen eingetragen. Versuchen Sie es noch einmal.',
  'This link has expired or has already been used. Request the change again.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Beantragen Sie die Änderung noch einmal.',
  'Another affiliate in this program already uses this address.':
    'Ein anderer Partner in diesem Programm benutzt diese Adresse schon.',
  'This is already your address. Enter another one.': 'Das ist schon Ihre Adresse. Geben Sie eine andere ein.',
  'Links do not open this portal any more, because you have turned on a second factor. Sign in at the service’s own address.':
    'Links öffnen dieses Portal nicht mehr, weil Sie einen zweiten Faktor eingerichtet haben. Melden Sie sich unter der eigenen Adresse des Dienstes an.',
  'Only a signed-in member can view the portal as an affiliate.':
    'Nur ein angemeldetes Mitglied kann das Portal wie ein Partner ansehen.',
  'This link has expired or has already been used. Go back to where you found it and get a new one.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Holen Sie sich dort, wo Sie ihn gefunden haben, einen neuen.',
  'Required, because no affiliate has this external_id yet.': 'Bitte ausfüllen, weil noch kein Partner diese externe ID hat.',
  'Send email or external_id to name the affiliate.': 'Nennen Sie den Partner mit seiner E-Mail-Adresse oder externen ID.',
  'The affiliate with this email address has a different external_id. Send that external_id or a different email address.':
    'Der Partner mit dieser E-Mail-Adresse hat eine andere externe ID.',
  'This affiliate has no access to the portal. Approve the affiliate first.':
    'Dieser Partner hat keinen Zugang zum Portal. Nehmen Sie ihn zuerst an.',
  'Enter a host name, e.g. partners.example.com.': 'Geben Sie einen Hostnamen ein, z. B. partner.example.com.',
  'This host name belongs to the service. Enter a host name of your own.':
    'Dieser Hostname gehört zum Dienst. Geben Sie einen eigenen ein.',
  'Enter an address on {}, e.g. https://{}/pricing.': 'Geben Sie eine Adresse auf {0} ein, z. B. https://{1}/preise.',
  'This link is incomplete or no longer valid. Choose in your profile how often you get mail.':
    'Dieser Link ist unvollständig oder gilt nicht mehr. In Ihrem Profil legen Sie fest, wie oft Sie E-Mails bekommen.',
  'Accept the new terms of the program first.': 'Akzeptieren Sie zuerst die neuen Bedingungen des Programms.',
  'The terms have changed. Read and accept the new ones.':
    'Die Bedingungen haben sich geändert. Lesen und akzeptieren Sie die neuen.',
};

/** German for the values in a refusal that are words of the service, such as the names of records and states. */
export const WORDS: Readonly<Record<string, string>> = {
  // Records
  account: 'Konto',
  affiliate: 'Partner',
  'affiliate coupon': 'Gutschein',
  'api key': 'API-Schlüssel',
  asset: 'Datei',
  campaign: 'Kampagne',
  commission: 'Provision',
  connector: 'Konnektor',
  customer: 'Kunde',
  delivery: 'Zustellung',
  file: 'Datei',
  invitation: 'Einladung',
  link: 'Link',
  logo: 'Logo',
  path: 'Adresse',
  payout: 'Auszahlung',
  'payout export': 'Export',
  'payout run': 'Auszahlungslauf',
  portal: 'Portal',
  'portal host': 'Portal',
  procedure: 'Vorgang',
  'promo code': 'Aktionscode',
  referral: 'Empfehlung',
  'reward rule': 'Regel',
  sale: 'Verkauf',
  session: 'Sitzung',
  'setup link': 'Einrichtungslink',
  'sign-up page': 'Anmeldeseite',
  'test purchase': 'Testkauf',
  tier: 'Stufe',
  user: 'Person',
  'webhook endpoint': 'Endpunkt',
  // Roles and owners
  admin: 'Administrator',
  member: 'Mitglied',
  owner: 'Inhaber',
  viewer: 'Betrachter',
  'the example': 'des Beispiels',
  'a program': 'eines Programms',
  // States and events
  accepted: 'angenommen',
  approved: 'freigegeben',
  arrived: 'angekommen',
  'being paid': 'wird bezahlt',
  canceled: 'abgebrochen',
  completed: 'abgeschlossen',
  due: 'fällig',
  executing: 'wird ausgeführt',
  expired: 'abgelaufen',
  failed: 'gescheitert',
  in_transit: 'unterwegs',
  lead: 'Interessent',
  milestone: 'Meilenstein',
  open: 'offen',
  paid: 'bezahlt',
  partially_completed: 'teilweise abgeschlossen',
  paying: 'wird bezahlt',
  pending: 'wartend',
  planned: 'geplant',
  prepared: 'vorbereitet',
  processing: 'in Arbeit',
  'repeated already': 'schon wiederholt',
  revoked: 'zurückgezogen',
  returned: 'zurückgekommen',
  sent: 'gesendet',
  unclaimed: 'nicht abgeholt',
  unknown: 'unbekannt',
  voided: 'storniert',
  withdrawn: 'zurückgezogen',
  // Reasons why an exported payout must not be paid
  'the amount is not the exported amount or not the sum of the commissions':
    'Der Betrag ist nicht der exportierte oder nicht die Summe der Provisionen',
  'one of its commissions was voided': 'eine ihrer Provisionen wurde storniert',
  'one of its commissions was flagged for review': 'eine ihrer Provisionen wurde zur Prüfung markiert',
  'the affiliate is not active': 'der Partner ist nicht aktiv',
  'the amount is not above zero': 'der Betrag ist nicht größer als null',
  'the amount is below the campaign’s minimum': 'der Betrag liegt unter dem Minimum der Kampagne',
  'the payout details of the affiliate have changed': 'die Zahlungsdaten des Partners wurden geändert',
  // Kinds of input
  text: 'ein Text',
  'a number': 'eine Zahl',
  'a whole number': 'eine ganze Zahl',
  'true or false': 'wahr oder falsch',
  'a list': 'eine Liste',
  'an object': 'ein Objekt',
  'a date': 'ein Datum',
  'an email address': 'eine E-Mail-Adresse',
  'a URL': 'eine Webadresse',
  'a date and time in ISO 8601 format, e.g. 2026-11-22T09:30:00Z': 'ein Zeitpunkt, z. B. 2026-11-22T09:30:00Z',
  'a date, e.g. 2026-11-22': 'ein Datum, z. B. 2026-11-22',
  'a whole number of at most 9007199254740991': 'eine ganze Zahl',
  'at least': 'mindestens',
  'at most': 'höchstens',
  'greater than': 'größer als',
  'less than': 'kleiner als',
};

/** German for sizes such as `3 characters`, by the singular of the unit. */
export const UNITS: Readonly<Record<string, { one: string; other: string }>> = {
  byte: { one: 'Byte', other: 'Bytes' },
  character: { one: 'Zeichen', other: 'Zeichen' },
  field: { one: 'Feld', other: 'Felder' },
  item: { one: 'Eintrag', other: 'Einträge' },
};

/** The neutral German text for a refusal whose text is not known, e.g. because it comes from the payment provider. */
export const NEUTRAL: Readonly<Record<ErrorCode, string>> = {
  MALFORMED_JSON: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.',
  MALFORMED_REQUEST: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu.',
  MISSING_ACCOUNT_ID: 'Es ist kein Konto gewählt. Laden Sie die Seite neu.',
  INVALID_SIGNATURE: 'Die Signatur ist ungültig.',
  UNAUTHORIZED: 'Bitte melden Sie sich erneut an.',
  FORBIDDEN: 'Das dürfen Sie nicht.',
  PAY_LIMIT_EXCEEDED: 'Das überschreitet eine Tagesgrenze.',
  SECOND_FACTOR_REQUIRED: 'Dieses Konto verlangt einen zweiten Faktor. Richten Sie ihn in Ihrem Profil ein.',
  NOT_FOUND: 'Das gibt es nicht.',
  METHOD_NOT_ALLOWED: 'Diese Adresse nimmt die Anfrage nicht an.',
  REQUEST_TIMEOUT: 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es noch einmal.',
  CONFLICT: 'Das passt nicht mehr zum jetzigen Stand. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  OPERATION_PENDING: 'Dieselbe Anfrage läuft noch. Versuchen Sie es gleich noch einmal.',
  RECONCILIATION_REQUIRED: 'Wie ein früherer Vorgang ausging, ist noch unbekannt. Wiederholen Sie zuerst diesen Vorgang.',
  PRECONDITION_FAILED: 'Das wurde inzwischen geändert. Laden Sie die Seite neu.',
  PAYLOAD_TOO_LARGE: 'Das ist zu groß.',
  UNSUPPORTED_MEDIA_TYPE: 'Diese Art von Datei wird nicht angenommen.',
  VALIDATION_ERROR: 'Diese Angabe wurde nicht angenommen.',
  PSP_NOT_CONNECTED: 'Das Konto ist mit keinem Zahlungsanbieter verbunden.',
  RATE_LIMITED: 'Zu viele Anfragen. Versuchen Sie es später noch einmal.',
  HEADERS_TOO_LARGE: 'Die Adresse ist zu lang.',
  INTERNAL_ERROR: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es später noch einmal.',
  UNAVAILABLE: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es in einigen Sekunden noch einmal.',
  PSP_ERROR: 'Der Zahlungsanbieter hat die Anfrage nicht ausgeführt.',
};
