import { reasons } from '../../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const PAYOUT_REASONS = reasons({
  rail_said: { en: '{words}', de: 'Der Auszahlungsdienst hat das nicht angenommen.' },
  affiliate_erased: {
    en: 'The personal data of this affiliate were erased, so it cannot be changed any more.',
    de: 'Die persönlichen Daten dieses Partners wurden gelöscht. Er lässt sich nicht mehr ändern.',
  },
  approval_needed: {
    en: 'Somebody else has to approve these payments. Prepare them as a batch, and have it approved.',
    de: 'Jemand anders muss diese Zahlungen freigeben. Bereiten Sie sie als Stapel vor, und lassen Sie ihn freigeben.',
  },
  export_approval_needed: {
    en: 'Somebody else has to approve this export before its file can be read.',
    de: 'Jemand anders muss diesen Export freigeben, bevor die Datei gelesen werden kann.',
  },
  above_daily_limit: {
    en: 'With these payments, more {currency} would be sent within a day than the account allows.',
    de: 'Mit diesen Zahlungen würden innerhalb eines Tages mehr {currency} gesendet, als das Konto erlaubt.',
  },
  not_payable_as_exported: {
    en: '{payout} must not be paid as exported: {reason}. Delete the export and create it again or, if the money was sent already, repeat the request with already_sent true.',
    de: '{payout} darf nicht so bezahlt werden, wie es exportiert wurde: {reason}. Löschen Sie den Export, und legen Sie ihn neu an. Wurde das Geld schon gesendet, dann bestätigen Sie das beim Bezahlen.',
  },
  below_minimum: {
    en: '{name} (payout {payout}) is below the minimum of this method.',
    de: '{name} (Auszahlung {payout}) liegt unter dem Mindestbetrag dieses Wegs.',
  },
  method_paused: {
    en: '{name} (payout {payout}) is not paid by this method, because the account has paused it.',
    de: '{name} (Auszahlung {payout}) wird auf diesem Weg nicht bezahlt, weil das Konto ihn angehalten hat.',
  },
  fee_exceeds_amount: {
    en: '{name} (payout {payout}) would get nothing after the fee of this method.',
    de: '{name} (Auszahlung {payout}) bekäme nach der Gebühr dieses Wegs nichts.',
  },
  fees_unknown: {
    en: 'Affiliates bear the fees of these payments, and the service that pays is still asked for them. Prepare the payments as a batch, and try again in a minute.',
    de: 'Partner tragen die Gebühren dieser Zahlungen, und der Auszahlungsdienst wird noch danach gefragt. Bereiten Sie die Zahlungen als Stapel vor, und versuchen Sie es in einer Minute noch einmal.',
  },
  file_full: {
    en: 'A {format} file holds at most {max} payouts. Make another export for {payout}.',
    de: 'Eine Datei für {format} fasst höchstens {max} Auszahlungen. Legen Sie für {payout} einen weiteren Export an.',
  },
  export_already: { en: 'This export is already {state}.', de: 'Dieser Export hat schon den Status „{state}“.' },
  payout_not_in_export: {
    en: 'Payout {payout} is not in this export.',
    de: 'Die Auszahlung {payout} gehört nicht zu diesem Export.',
  },
  export_fixed: {
    en: 'This export is {state}; no payout can be taken out of it any more.',
    de: 'Dieser Export hat den Status „{state}“. Aus ihm lässt sich keine Auszahlung mehr herausnehmen.',
  },
  export_would_be_empty: {
    en: 'No payout would be left in this export. Delete the export instead.',
    de: 'In diesem Export bliebe keine Auszahlung. Löschen Sie stattdessen den Export.',
  },
  export_lacks_payouts: {
    en: 'This export no longer holds all of its payouts. Reconcile the payouts to see the differences.',
    de: 'Dieser Export enthält nicht mehr alle seine Auszahlungen. Prüfen Sie die Auszahlungen auf Unterschiede.',
  },
  file_hidden: {
    en: 'This file has account numbers. A person downloads it from the page of exports.',
    de: 'Diese Datei enthält Kontonummern. Eine Person lädt sie auf der Seite der Exporte herunter.',
  },
  no_payout_eligible: {
    en: 'No payout is eligible now. The ineligible_reasons of each payout say why.',
    de: 'Im Moment kann keine Auszahlung bezahlt werden. Bei jeder Auszahlung steht, warum.',
  },
  some_paid_by_bank: {
    en: 'The bank has paid some payouts of this export. Mark it as paid, and name the others as refused.',
    de: 'Die Bank hat einige Auszahlungen dieses Exports bezahlt. Markieren Sie ihn als bezahlt, und nennen Sie die anderen als abgelehnt.',
  },
  export_not_releasable: {
    en: 'This export is {state}; its payouts can no longer be released.',
    de: 'Dieser Export hat den Status „{state}“. Seine Auszahlungen lassen sich nicht mehr freigeben.',
  },
  no_reports_of_format: {
    en: 'There are no reports about files of this format.',
    de: 'Zu Dateien dieses Formats gibt es keine Meldungen.',
  },
  export_being_paid: {
    en: 'This export is being paid. Try again when it is paid.',
    de: 'Dieser Export wird gerade bezahlt. Versuchen Sie es danach noch einmal.',
  },
  export_busy: {
    en: 'Another call works on this export. Try again.',
    de: 'Ein anderer Aufruf bearbeitet diesen Export. Versuchen Sie es noch einmal.',
  },
  bank_account_missing: {
    en: '{name} (payout {payout}) has not entered a bank account for this file.',
    de: '{name} (Auszahlung {payout}) hat für diese Datei kein Bankkonto angegeben.',
  },
  above_bank_limit: {
    en: '{name} (payout {payout}) is above {most} {currency}, the most that a bank takes.',
    de: '{name} (Auszahlung {payout}) liegt über {most} {currency}, dem Höchstbetrag der Banken.',
  },
  address_missing: {
    en: '{name} (payout {payout}) has no {method} address.',
    de: '{name} (Auszahlung {payout}) hat keine Adresse für {method}.',
  },
  address_like_formula: {
    en: '{name} (payout {payout}) has a {method} address that starts like a spreadsheet formula. Correct it first.',
    de: '{name} (Auszahlung {payout}) hat eine Adresse für {method}, die wie eine Formel beginnt. Berichtigen Sie sie zuerst.',
  },
  no_such_payout: { en: 'No such payout: {payout}.', de: 'Auszahlung nicht gefunden: {payout}.' },
  payout_not_eligible: {
    en: '{payout} is not eligible: {reasons}.',
    de: '{payout} kann noch nicht bezahlt werden. Bei der Auszahlung steht, warum.',
  },
  test_payout: {
    en: '{payout} is a test payout. Export test payouts with livemode false.',
    de: '{payout} ist eine Auszahlung im Testmodus. Wechseln Sie in den Testmodus.',
  },
  live_payout: {
    en: '{payout} is a live payout. Export live payouts with livemode true.',
    de: '{payout} ist eine Auszahlung im Livemodus. Wechseln Sie in den Livemodus.',
  },
  routing_number_form: {
    en: 'Enter a routing number of nine digits, e.g. 021000021.',
    de: 'Bitte geben Sie eine Routing Number mit neun Ziffern ein, z. B. 021000021.',
  },
  holder_not_latin: {
    en: 'Enter the name in Latin letters, as the bank has it.',
    de: 'Bitte geben Sie den Namen in lateinischen Buchstaben ein, wie ihn die Bank kennt.',
  },
  account_number_form: {
    en: 'Enter an account number of 4 to 17 digits or letters.',
    de: 'Bitte geben Sie eine Kontonummer mit 4 bis 17 Ziffern oder Buchstaben ein.',
  },
  company_number_form: {
    en: 'Enter the 9 or 10 characters that your bank has given you, e.g. 1123456789.',
    de: 'Bitte geben Sie die 9 oder 10 Zeichen ein, die Sie von Ihrer Bank haben, z. B. 1123456789.',
  },
  iban_form: {
    en: 'Enter an IBAN, e.g. DE89 3704 0044 0532 0130 00.',
    de: 'Bitte geben Sie eine IBAN ein, z. B. DE89 3704 0044 0532 0130 00.',
  },
  iban_country: {
    en: 'Accounts of this country cannot be paid by SEPA.',
    de: 'Konten dieses Landes sind mit SEPA nicht erreichbar.',
  },
  iban_length: {
    en: 'This IBAN has too many or too few characters for its country.',
    de: 'Diese IBAN ist für ihr Land zu lang oder zu kurz.',
  },
  iban_check_digits: {
    en: 'This IBAN has a typing error: its check digits do not fit.',
    de: 'In dieser IBAN ist ein Tippfehler: Die Prüfziffern passen nicht.',
  },
  bic_form: {
    en: 'Enter a BIC of 8 or 11 characters, e.g. COBADEFFXXX.',
    de: 'Bitte geben Sie einen BIC mit 8 oder 11 Zeichen ein, z. B. COBADEFFXXX.',
  },
  not_latin: { en: 'Enter it in Latin letters.', de: 'Bitte in lateinischen Buchstaben eingeben.' },
  country_form: {
    en: 'Enter the two letters of the country, e.g. DE.',
    de: 'Bitte geben Sie die zwei Buchstaben des Landes ein, z. B. DE.',
  },
  address_incomplete: { en: 'An address needs town and country.', de: 'Eine Anschrift braucht Ort und Land.' },
  bank_report_unreadable: {
    en: 'This is not a report of a bank about payments. Upload pain.002, camt.053 or camt.054 as your bank has made it.',
    de: 'Das ist keine Meldung einer Bank über Zahlungen. Laden Sie pain.002, camt.053 oder camt.054 hoch, wie Ihre Bank die Datei erstellt hat.',
  },
  method_exists: {
    en: 'The affiliate has a method of this kind. Change its address instead.',
    de: 'Der Affiliate hat schon einen Auszahlungsweg dieser Art. Ändern Sie stattdessen dessen Adresse.',
  },
  method_removed: {
    en: 'This method was removed. Add a new one.',
    de: 'Dieser Auszahlungsweg wurde entfernt. Fügen Sie einen neuen hinzu.',
  },
  no_method_with_address: {
    en: 'There is no payout method of this kind with an address.',
    de: 'Es gibt keinen Auszahlungsweg dieser Art mit einer Adresse.',
  },
  several_currencies: {
    en: '{payout} is in {currency}, but other payouts are in {other}. Make one export per currency.',
    de: '{payout} ist in {currency}, andere Auszahlungen sind in {other}. Legen Sie für jede Währung einen Export an.',
  },
  whole_units: {
    en: '{payout}: this method pays {currency} in whole units only, so it cannot pay {amount}.',
    de: '{payout}: Dieser Weg zahlt {currency} nur in ganzen Einheiten und kann deshalb {amount} nicht zahlen.',
  },
  currency_not_paid: {
    en: '{payout} is in {currency}, which this method does not pay.',
    de: '{payout} ist in {currency}, das dieser Weg nicht zahlt.',
  },
  unknown_rail: {
    en: 'There is no service of this kind that can be connected.',
    de: 'Es gibt keinen Dienst dieser Art, der sich verbinden lässt.',
  },
  test_credentials_needed: {
    en: 'In test mode, enter credentials of the test mode.',
    de: 'Geben Sie im Testmodus Zugangsdaten des Testmodus ein.',
  },
  rail_connected_already: {
    en: 'An account of this kind is connected already, as {rail}. Remove it first.',
    de: 'Ein Konto dieser Art ist schon verbunden, als {rail}. Entfernen Sie es zuerst.',
  },
  payout_not_paid: {
    en: 'This payout is not paid, so there is nothing to return.',
    de: 'Diese Auszahlung ist nicht bezahlt, also kann nichts zurückkommen.',
  },
  connector_with_limits: {
    en: 'This connector has daily limits. Create the run first, then execute it.',
    de: 'Dieser Konnektor hat Tagesgrenzen. Legen Sie zuerst den Lauf an, und führen Sie ihn dann aus.',
  },
  key_of_other_run: {
    en: 'This key was already used for a run with other parameters. Use a new key.',
    de: 'Ein Lauf mit diesem Schlüssel wurde schon mit anderen Angaben angelegt. Laden Sie die Seite neu.',
  },
  run_canceled: { en: 'This run is canceled.', de: 'Dieser Lauf ist abgebrochen.' },
  cancel_is_for_run: {
    en: 'The action `cancel` applies to the whole run. To remove single items, use the action `exclude`.',
    de: 'Abbrechen gilt für den ganzen Lauf. Einzelne Auszahlungen nehmen Sie aus.',
  },
  run_completed: {
    en: 'This run has been completed, so there is nothing left to cancel.',
    de: 'Dieser Lauf ist abgeschlossen. Es gibt nichts mehr abzubrechen.',
  },
  not_an_item: {
    en: 'Payout {payout} is not a {state} item of this run.',
    de: 'Die Auszahlung {payout} hat in diesem Lauf nicht den Status „{state}“.',
  },
  action_not_allowed: {
    en: 'This action is not allowed while the run is {state}.',
    de: 'Das geht nicht, während der Lauf den Status „{state}“ hat.',
  },
  attempt_not_unknown: {
    en: 'This attempt is {state}. Only an unknown outcome is decided.',
    de: 'Dieser Versuch hat den Status „{state}“. Nur über einen unbekannten Ausgang wird entschieden.',
  },
  outcome_still_looked_up: {
    en: 'The service still finds out whether this payment was made. Decide when the attempt has the reason `key_expired` or `amount_mismatch`.',
    de: 'Der Dienst fragt noch, ob diese Zahlung erfolgt ist. Entscheiden Sie, wenn er nicht mehr fragt.',
  },
  nothing_to_withdraw: {
    en: 'This attempt is {state}, so there is nothing to withdraw.',
    de: 'Dieser Versuch hat den Status „{state}“, also gibt es nichts zurückzuziehen.',
  },
  attempt_of_export_or_run: {
    en: 'An export or a run has prepared this attempt. Delete the export, or cancel the run.',
    de: 'Dieser Versuch gehört zu einem Export oder einem Lauf. Löschen Sie den Export, oder brechen Sie den Lauf ab.',
  },
  payment_not_sent_by_service: { en: 'The service does not send this payment.', de: 'Der Dienst sendet diese Zahlung nicht.' },
  attempt_is: { en: 'This attempt is {state}.', de: 'Dieser Versuch hat den Status „{state}“.' },
  method_without_recall: {
    en: 'Payments of this method cannot be called back.',
    de: 'Zahlungen auf diesem Weg lassen sich nicht zurückrufen.',
  },
  attempt_not_recallable: {
    en: 'This attempt is {state}, so it cannot be called back.',
    de: 'Dieser Versuch hat den Status „{state}“ und lässt sich deshalb nicht zurückrufen.',
  },
  person_needed_to_approve: {
    en: 'Only a signed-in person approves payments.',
    de: 'Nur eine angemeldete Person gibt Zahlungen frei.',
  },
  person_needed_to_release: {
    en: 'Only a signed-in person releases a hit.',
    de: 'Nur eine angemeldete Person gibt einen Treffer frei.',
  },
  not_compared_yet: {
    en: 'Some affiliates are not compared with the current lists yet. Try again in a minute.',
    de: 'Einige Partner sind noch nicht mit den aktuellen Listen verglichen. Versuchen Sie es in einer Minute noch einmal.',
  },
  screening_switched_off_by_person: {
    en: 'Only a signed-in person switches the comparison with lists off.',
    de: 'Nur eine angemeldete Person schaltet den Vergleich mit Listen aus.',
  },
  screening_holds_nothing: {
    en: 'This screening does not hold the affiliate any more. Look at the newest one.',
    de: 'Diese Prüfung hält nichts mehr an. Sehen Sie sich die neueste an.',
  },
  screening_unavailable: {
    en: 'Nothing was found that could be released: there is no name, no list, or a list is too old.',
    de: 'Es wurde nichts gefunden, das sich freigeben ließe: Es fehlt ein Name oder eine Liste, oder eine Liste ist zu alt.',
  },
  prepared_by_approver: {
    en: 'You have prepared these payments. Somebody else has to approve them.',
    de: 'Sie haben diese Zahlungen vorbereitet. Jemand anderes muss sie freigeben.',
  },
  export_paused: {
    en: 'This way to pay is paused. Let it go on first.',
    de: 'Dieser Zahlungsweg ist angehalten. Setzen Sie ihn zuerst fort.',
  },
  nothing_to_approve: {
    en: 'This batch has no payments to approve.',
    de: 'Dieser Stapel hat keine Zahlungen, die freizugeben wären.',
  },
  payments_changed: {
    en: 'These payments have changed. Look at them again.',
    de: 'Diese Zahlungen haben sich geändert. Sehen Sie sie noch einmal an.',
  },
  batch_approved: { en: 'This batch is approved already.', de: 'Diese Zahlungen sind schon freigegeben.' },
  batch_over: {
    en: 'All payments of this batch are sent, withdrawn or ended.',
    de: 'Alle diese Zahlungen sind gesendet, zurückgezogen oder beendet.',
  },
  batch_is: { en: 'This batch is {state}.', de: 'Diese Zahlungen haben den Status „{state}“.' },
  rail_missing: {
    en: 'Connect your account at {rail} first (payout_rails), in the mode of the payouts.',
    de: 'Verbinden Sie zuerst Ihr Konto bei {rail}, im Modus der Auszahlungen.',
  },
  method_not_sent: {
    en: 'The service does not send payments by this method.',
    de: 'Über diesen Auszahlungsweg verschickt der Dienst keine Zahlungen.',
  },
  batch_full: {
    en: 'A batch holds at most {max} payouts. Make another one for {payout}.',
    de: 'Ein Stapel enthält höchstens {max} Auszahlungen. Legen Sie für {payout} einen weiteren an.',
  },
  no_accounts_opened: {
    en: 'No accounts of this kind are opened here. Add the method instead.',
    de: 'Konten dieser Art werden hier nicht eröffnet. Fügen Sie stattdessen den Auszahlungsweg hinzu.',
  },
  rail_silent: { en: '{rail} did not answer.', de: '{rail} hat nicht geantwortet.' },
  rail_unreadable: { en: 'The answer of {rail} could not be read.', de: 'Die Antwort von {rail} war nicht lesbar.' },
  rail_refused: { en: '{rail} refused the request ({status}).', de: '{rail} hat die Anfrage abgelehnt ({status}).' },
  rail_several_transfers: {
    en: '{rail} has several transfers of this payment.',
    de: '{rail} hat mehrere Überweisungen dieser Zahlung.',
  },
  rail_other_transfer: {
    en: '{rail} has another transfer by this id.',
    de: '{rail} hat unter dieser ID eine andere Überweisung.',
  },
});

/** The reasons against paying a payout as exported. */
export const NOT_PAYABLE = reasons({
  amount_mismatch: {
    en: 'the amount is not the exported amount or not the sum of the commissions',
    de: 'Der Betrag ist nicht der exportierte oder nicht die Summe der Provisionen',
  },
  commission_voided: { en: 'one of its commissions was voided', de: 'eine ihrer Provisionen wurde storniert' },
  commission_flagged: {
    en: 'one of its commissions was flagged for review',
    de: 'eine ihrer Provisionen wurde zur Prüfung markiert',
  },
  affiliate_inactive: { en: 'the affiliate is not active', de: 'der Partner ist nicht aktiv' },
  not_positive: { en: 'the amount is not above zero', de: 'der Betrag ist nicht größer als null' },
  below_minimum: { en: 'the amount is below the campaign’s minimum', de: 'der Betrag liegt unter dem Minimum der Kampagne' },
  payout_details_changed: {
    en: 'the payout details of the affiliate have changed',
    de: 'die Zahlungsdaten des Partners wurden geändert',
  },
  screening: { en: 'the affiliate has not been cleared by the screening', de: 'der Partner ist noch nicht geprüft' },
});
