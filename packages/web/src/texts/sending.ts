import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  allStates: { en: 'All states', de: 'Alle Status' },
  amountSent: { en: 'Amount sent', de: 'Gesendeter Betrag' },
  approveConsequence: {
    en: 'You approve exactly these payments. If one of them changes, the approval ends. Nothing is sent yet.',
    de: 'Sie geben genau diese Zahlungen frei. Ändert sich eine davon, endet die Freigabe. Noch wird nichts gesendet.',
  },
  approvedBy: { en: 'Somebody else approved these payments {at}.', de: 'Diese Zahlungen wurden {at} freigegeben.' },
  arrived: { en: 'Arrived', de: 'Angekommen' },
  arrivedHint: { en: 'The payout is paid.', de: 'Die Auszahlung ist bezahlt.' },
  atService: { en: 'At {service}: {state}', de: 'Bei {service}: {state}' },
  callBack: { en: 'Call back', de: 'Zurückrufen' },
  cameBack: { en: '{amount} came back.', de: '{amount} kamen zurück.' },
  callBackConsequence: {
    en: 'The service is asked to call the payment back. If it does, the payout is due again.',
    de: 'Der Dienst wird gebeten, die Zahlung zurückzurufen. Gelingt das, ist die Auszahlung wieder fällig.',
  },
  callBackArrived: {
    en: 'The service is asked to take the payment back from the account of the affiliate. If it does, the payout is due again.',
    de: 'Der Dienst wird gebeten, die Zahlung vom Konto des Partners zurückzuholen. Gelingt das, ist die Auszahlung wieder fällig.',
  },
  comesBack: { en: 'Comes back {at} if it is not accepted.', de: 'Kommt {at} zurück, wenn sie nicht angenommen wird.' },
  connectFirst: {
    en: 'No service that pays is connected. Connect one in the settings, or pay with a file.',
    de: 'Kein Dienst ist verbunden, der zahlt. Verbinden Sie einen in den Einstellungen, oder zahlen Sie mit einer Datei.',
  },
  created: { en: 'Prepared', de: 'Vorbereitet' },
  createdAt: { en: 'Prepared {at}', de: 'Vorbereitet {at}' },
  decide: { en: 'Decide', de: 'Entscheiden' },
  description: {
    en: 'Payments that the service sends for you: prepare them, have them approved, send them, and see what arrived.',
    de: 'Zahlungen, die für Sie gesendet werden: vorbereiten, freigeben lassen, senden und sehen, was ankam.',
  },
  didArrive: { en: 'It arrived', de: 'Sie ist angekommen' },
  didArriveHint: { en: 'The payout is paid.', de: 'Die Auszahlung ist bezahlt.' },
  didFail: { en: 'It was not made', de: 'Sie ist nicht erfolgt' },
  didFailHint: {
    en: 'The payout is due, and can be paid again. If the money was sent after all, it is paid twice.',
    de: 'Die Auszahlung ist fällig und kann erneut gezahlt werden. Wurde das Geld doch gesendet, ist sie doppelt bezahlt.',
  },
  ended: { en: 'Not paid', de: 'Nicht bezahlt' },
  fee: { en: 'Fee', de: 'Gebühr' },
  feeAskedFor: { en: 'The fee is still asked for.', de: 'Die Gebühr wird noch erfragt.' },
  sentAfterFee: { en: '{sent} after a fee of {fee}', de: '{sent} nach einer Gebühr von {fee}' },
  feesBorne: { en: 'Fees that affiliates bear: {amount}.', de: 'Gebühren, die Partner tragen: {amount}.' },
  feesCharged: { en: 'Fees so far: {amount}.', de: 'Gebühren bisher: {amount}.' },
  feesUnknown: {
    en: {
      one: 'The fee of {count} payment is not known before it is sent.',
      other: 'The fees of {count} payments are not known before they are sent.',
    },
    de: {
      one: 'Die Gebühr von {count} Zahlung ist vor dem Senden nicht bekannt.',
      other: 'Die Gebühren von {count} Zahlungen sind vor dem Senden nicht bekannt.',
    },
  },
  firstSent: { en: 'First sent', de: 'Zuerst gesendet' },
  fundsMissing: {
    en: 'The service needs {needed}, and only {available} is there. Top it up first.',
    de: 'Der Dienst braucht {needed}, und nur {available} sind da. Laden Sie das Guthaben zuerst auf.',
  },
  fundsThere: {
    en: 'The service needs {needed}, and {available} is there.',
    de: 'Der Dienst braucht {needed}, und {available} sind da.',
  },
  howKnown: { en: 'How you know', de: 'Woher Sie das wissen' },
  inTransitHint: {
    en: 'On its way. The service is asked every few minutes.',
    de: 'Unterwegs. Der Dienst wird alle paar Minuten gefragt.',
  },
  keyExpired: {
    en: 'The service has given no answer, and no longer knows the key of this payment, so asking again could pay it twice. Look there for the payment below. If you cannot find out, wait: nothing else can pay it.',
    de: 'Der Dienst hat nicht geantwortet und kennt den Schlüssel dieser Zahlung nicht mehr. Sie noch einmal zu senden, könnte sie doppelt zahlen. Suchen Sie dort nach der Zahlung unten. Wenn Sie es nicht herausfinden, warten Sie: Nichts anderes kann sie zahlen.',
  },
  lastWord: { en: 'Last state at the service', de: 'Letzter Status beim Dienst' },
  leftOut: {
    en: { one: '{count} payout is left out, and stays due:', other: '{count} payouts are left out, and stay due:' },
    de: { one: '{count} Auszahlung fehlt und bleibt fällig:', other: '{count} Auszahlungen fehlen und bleiben fällig:' },
  },
  method: { en: 'Method', de: 'Weg' },
  methodPaused: {
    en: 'These payments wait, because this method is paused under {settings}.',
    de: 'Diese Zahlungen warten, weil dieser Weg unter {settings} angehalten ist.',
  },
  payoutsStopped: {
    en: 'These payments wait, because all payments are stopped under {settings}.',
    de: 'Diese Zahlungen warten, weil unter {settings} alle Zahlungen angehalten sind.',
  },
  needsApproval: {
    en: 'Somebody else has to approve these payments before they are sent.',
    de: 'Jemand anderes muss diese Zahlungen freigeben, bevor sie gesendet werden.',
  },
  noPayments: { en: 'No payments yet', de: 'Noch keine Zahlungen' },
  noPaymentsHint: {
    en: 'Prepare payments from the payout list. Nothing is sent before you say so.',
    de: 'Bereiten Sie Zahlungen in der Liste der Auszahlungen vor. Nichts wird gesendet, bevor Sie es sagen.',
  },
  noneInState: { en: 'No payment has this state.', de: 'Keine Zahlung hat diesen Status.' },
  nothingToPay: { en: 'Nothing can be paid by this method now.', de: 'Auf diesem Weg ist jetzt nichts zu zahlen.' },
  otherAmount: {
    en: 'The service names another amount than was sent to it. Look at the payment there. If it arrived, settle the difference with a manual commission.',
    de: 'Der Dienst nennt einen anderen Betrag, als ihm gesendet wurde. Sehen Sie sich die Zahlung dort an. Ist sie angekommen, gleichen Sie den Unterschied mit einer manuellen Provision aus.',
  },
  ourKey: { en: 'Our key of the payment', de: 'Unser Schlüssel der Zahlung' },
  paymentsHeading: { en: 'Payments of this batch', de: 'Zahlungen dieser Gruppe' },
  prepare: { en: 'Prepare', de: 'Vorbereiten' },
  preparedHint: { en: 'Not sent yet.', de: 'Noch nicht gesendet.' },
  preparePayments: { en: 'Prepare payments', de: 'Zahlungen vorbereiten' },
  providerBatchId: { en: 'ID of its batch at the service', de: 'ID ihrer Gruppe beim Dienst' },
  providerItemId: { en: 'ID of the payment at the service', de: 'ID der Zahlung beim Dienst' },
  providerItemIdHint: {
    en: 'Optional. With it, you are told if the money comes back.',
    de: 'Optional. Damit wird bemerkt, wenn das Geld zurückkommt.',
  },
  railMissing: {
    en: 'These payments wait, because the service that pays is not connected. Connect it under {settings}.',
    de: 'Diese Zahlungen warten, weil der zahlende Dienst nicht verbunden ist. Verbinden Sie ihn unter {settings}.',
  },
  railStopped: {
    en: 'These payments wait, because the service has refused to pay from your account. See why, and let it go on, under {settings}.',
    de: 'Diese Zahlungen warten, weil der Dienst nicht von Ihrem Konto zahlt. Den Grund sehen Sie unter {settings}, und dort lassen Sie ihn weiterzahlen.',
  },
  receiver: { en: 'Receiver', de: 'Empfänger' },
  retryFailed: {
    en: 'The payment certainly failed. A new one is made to the current address of the affiliate, with a new key.',
    de: 'Die Zahlung ist sicher gescheitert. Eine neue geht an die aktuelle Adresse des Partners, mit einem neuen Schlüssel.',
  },
  retryUnknown: {
    en: 'The same payment is sent again with the same key, by which the service recognizes it. It is not paid twice.',
    de: 'Dieselbe Zahlung wird mit demselben Schlüssel noch einmal gesendet, an dem der Dienst sie erkennt. Sie wird nicht doppelt gezahlt.',
  },
  returnedHint: {
    en: 'The money came back. The commissions are due again.',
    de: 'Das Geld kam zurück. Die Provisionen sind wieder fällig.',
  },
  screeningHint: {
    en: 'Waits for the comparison with lists. Look at the page of the affiliate.',
    de: 'Wartet auf den Vergleich mit Listen. Sehen Sie auf der Seite des Partners nach.',
  },
  screeningWaits: {
    en: 'Some of these payments wait, because their affiliates are not compared with the lists yet, or have names like one on a list. The lists are under {settings}.',
    de: 'Einige dieser Zahlungen warten, weil die Partner noch nicht mit den Listen verglichen sind oder ein Name einem auf einer Liste gleicht. Die Listen stehen unter {settings}.',
  },
  send: { en: 'Send', de: 'Senden' },
  sendConsequence: {
    en: '{amount} is sent to {affiliates} by {service}, now and in the background. Sent money cannot be taken back here.',
    de: '{amount} werden an {affiliates} über {service} gesendet, jetzt und im Hintergrund. Gesendetes Geld lässt sich hier nicht zurückholen.',
  },
  sendingHint: { en: 'It is being sent to the service.', de: 'Sie wird an den Dienst gesendet.' },
  sentFirst: { en: 'First sent {at}.', de: 'Zuerst gesendet {at}.' },
  sentHint: { en: 'The service has it, and has not paid it yet.', de: 'Der Dienst hat sie und hat noch nicht gezahlt.' },
  showThem: { en: 'Show them', de: 'Zeigen' },
  showPayouts: { en: 'Show payouts', de: 'Auszahlungen zeigen' },
  toLookFor: { en: 'What to look for', de: 'Wonach zu suchen ist' },
  unclaimedHint: { en: 'Waits until the affiliate accepts it.', de: 'Wartet, bis der Partner sie annimmt.' },
  underway: { en: 'Under way', de: 'Unterwegs' },
  unknownCount: {
    en: {
      one: '{count} payment has no answer. Nothing else can pay it.',
      other: '{count} payments have no answer. Nothing else can pay them.',
    },
    de: {
      one: '{count} Zahlung hat keine Antwort. Nichts anderes kann sie zahlen.',
      other: '{count} Zahlungen haben keine Antwort. Nichts anderes kann sie zahlen.',
    },
  },
  unknownHint: {
    en: 'No answer yet. It is asked again; nothing is paid twice.',
    de: 'Noch keine Antwort. Es wird wieder gefragt; nichts wird doppelt gezahlt.',
  },
  undecidedHint: {
    en: 'A person has to decide. Look at the service first.',
    de: 'Eine Person muss entscheiden. Sehen Sie zuerst beim Dienst nach.',
  },
  unsent: { en: 'Not sent', de: 'Nicht gesendet' },
  waitsUntil: {
    en: 'Payments are sent again {at}, because the account allows it only at some hours.',
    de: 'Zahlungen werden {at} wieder gesendet, weil das Konto es nur zu bestimmten Stunden erlaubt.',
  },
  whatHappened: { en: 'What happened?', de: 'Was ist geschehen?' },
  withdraw: { en: 'Withdraw', de: 'Zurückziehen' },
  withdrawConsequence: {
    en: 'What is not sent is not sent any more, and can be paid in another way. What is sent goes on.',
    de: 'Was nicht gesendet ist, wird nicht mehr gesendet und kann anders bezahlt werden. Gesendetes läuft weiter.',
  },
  withdrawnHint: { en: 'Ended before it was sent.', de: 'Vor dem Senden beendet.' },
});
