import { reasons } from '../platform/texts/reason.ts';

/** Reasons of refusals of this room. */
export const WEBHOOK_REASONS = reasons({
  endpoint_deleted: {
    en: 'The endpoint of this delivery has been deleted, so the delivery cannot be repeated.',
    de: 'Der Endpunkt dieser Zustellung wurde gelöscht. Sie lässt sich nicht wiederholen.',
  },
  endpoint_inactive: {
    en: 'This endpoint is inactive. Activate it first.',
    de: 'Dieser Endpunkt ist inaktiv. Aktivieren Sie ihn zuerst.',
  },
  host_not_found: {
    en: 'The host {host} could not be resolved. Check the URL.',
    de: 'Der Host {host} wurde nicht gefunden. Prüfen Sie die Adresse.',
  },
  host_private: {
    en: 'The host {host} has a private address. Webhooks are only sent to public addresses.',
    de: 'Der Host {host} hat eine private Adresse. Webhooks werden nur an öffentliche Adressen gesendet.',
  },
  url_too_long: { en: 'The URL is longer than {max} characters.', de: 'Die Adresse ist länger als {max} Zeichen.' },
  no_url: {
    en: 'Enter a complete URL, e.g. https://example.com/webhooks.',
    de: 'Geben Sie eine vollständige Adresse ein, z. B. https://example.com/webhooks.',
  },
  other_scheme: {
    en: 'The URL must start with https:// or http://.',
    de: 'Die Adresse muss mit https:// oder http:// beginnen.',
  },
  port_not_allowed: {
    en: 'The port must be 80, 443 or at least 1024, and must not be a usual port of an email or database server.',
    de: 'Der Port muss 80, 443 oder mindestens 1024 sein und darf kein üblicher Port eines Mail- oder Datenbankservers sein.',
  },
  url_with_credentials: {
    en: 'The URL must not contain a user name or password. Send them as a header: Authorization with Basic and the base64 of user:password.',
    de: 'Die Adresse darf keinen Benutzernamen und kein Passwort enthalten. Senden Sie beides als Kopfzeile: Authorization mit Basic und dem Base64 von benutzer:passwort.',
  },
  header_name_form: {
    en: 'The name of a header consists of letters, digits, - and _.',
    de: 'Der Name einer Kopfzeile besteht aus Buchstaben, Ziffern, - und _.',
  },
  header_value_form: {
    en: 'The value of a header consists of printable ASCII characters, without blanks at its ends.',
    de: 'Der Wert einer Kopfzeile besteht aus druckbaren ASCII-Zeichen, ohne Leerzeichen am Anfang und am Ende.',
  },
  header_reserved: {
    en: 'The service sets hook-*, webhook-*, content-* and user-agent itself, and HTTP sets host and the headers of a connection.',
    de: 'Der Dienst setzt hook-*, webhook-*, content-* und user-agent selbst, und HTTP setzt host und die Kopfzeilen einer Verbindung.',
  },
  header_twice: {
    en: 'Two headers have the same name. Upper and lower case do not matter.',
    de: 'Zwei Kopfzeilen haben denselben Namen. Groß- und Kleinschreibung zählt nicht.',
  },
  too_many_headers: { en: 'An endpoint has at most {max} headers.', de: 'Ein Endpunkt hat höchstens {max} Kopfzeilen.' },
  event_type_twice: { en: 'Remove the duplicate event type.', de: 'Entfernen Sie das doppelte Ereignis.' },
  too_many_endpoints: {
    en: 'An account can have at most {max} endpoints. Delete one first.',
    de: 'Ein Konto kann höchstens {max} Endpunkte haben. Löschen Sie zuerst einen.',
  },
});
