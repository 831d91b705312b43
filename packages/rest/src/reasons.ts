import { reasons } from '@affiliate/core';

export const DOOR_REASONS = reasons({
  api_key_unknown: {
    en: 'This API key is unknown, revoked or expired.',
    de: 'Dieser API-Schlüssel ist unbekannt, zurückgezogen oder abgelaufen.',
  },
  credential_of_other_account: {
    en: 'This credential belongs to another account.',
    de: 'Dieser Zugang gehört zu einem anderen Konto.',
  },
  two_accounts_named: {
    en: 'The query and the header name different accounts. Name the account only once.',
    de: 'Es sind zwei verschiedene Konten genannt.',
  },
  other_site: {
    en: 'This request comes from another site. Send it from the origin of PUBLIC_URL.',
    de: 'Öffnen Sie die Seite unter der Adresse, unter der der Dienst eingerichtet ist.',
  },
  too_many_calls: {
    en: 'Has at most {max} calls. Send them in several batches.',
    de: 'Höchstens {max} Anfragen auf einmal. Laden Sie die Seite neu.',
  },
  file_not_sent_as_bytes: {
    en: 'Send the bytes of the file as the body, e.g. with Content-Type: image/png.',
    de: 'Die Datei kam nicht an. Versuchen Sie es noch einmal.',
  },
  content_encoding: {
    en: 'A content encoding is not supported here. Send the file as it is.',
    de: 'Die Datei kam nicht an. Versuchen Sie es noch einmal.',
  },
  file_too_large: { en: 'The file is larger than {max}.', de: 'Die Datei ist größer als {max}.' },
  file_incomplete: {
    en: 'The connection ended before the whole file arrived.',
    de: 'Die Verbindung brach ab, bevor die ganze Datei ankam. Versuchen Sie es noch einmal.',
  },
});
