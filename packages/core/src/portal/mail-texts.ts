import type { Texts } from '../platform/texts/texts.ts';

/**
 * Texts of the portal's emails that accounts cannot edit. A token is in the fragment of the link, which browsers do not send to servers, so that it is
 * never logged.
 */
export const PORTAL_MAILS = {
  confirmApplication: {
    subject: { en: 'Confirm your application to {account}', de: 'Bestätigen Sie Ihre Bewerbung bei {account}' },
    confirm: {
      en: 'You want to become an affiliate of {account} in “{campaign}”. Confirm that this is your email address.',
      de: 'Sie möchten Partner von {account} in „{campaign}“ werden. Bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.',
    },
    link: { en: 'Confirm', de: 'Bestätigen' },
    closing: {
      en: 'The link can be used once and expires in 24 hours. If you did not apply, ignore this email.',
      de: 'Der Link gilt einmal und 24 Stunden lang. Wenn Sie sich nicht beworben haben, ignorieren Sie diese E-Mail.',
    },
  },
  formerAddress: {
    subject: { en: 'Your email address at {account}', de: 'Ihre E-Mail-Adresse bei {account}' },
    wanted: {
      en: 'Somebody who is signed in as you asked to change your email address in the affiliate program of {account} to {email}, and to sign in with that address.',
      de: 'Jemand, der in Ihrem Namen angemeldet ist, möchte Ihre E-Mail-Adresse im Partnerprogramm von {account} zu {email} ändern und sich mit dieser Adresse anmelden.',
    },
    both: {
      en: 'Nothing changes until you confirm the change and the owner of the new address confirms it too.',
      de: 'Nichts ändert sich, bis Sie die Änderung bestätigen und der Inhaber der neuen Adresse sie ebenfalls bestätigt.',
    },
    link: { en: 'Confirm or refuse', de: 'Bestätigen oder ablehnen' },
    closing: {
      en: 'The link can be used once and expires in 24 hours. If this was not you, refuse the change.',
      de: 'Der Link gilt einmal und 24 Stunden lang. Wenn Sie das nicht waren, lehnen Sie die Änderung ab.',
    },
  },
  newAddress: {
    subject: {
      en: 'Confirm your new email address at {account}',
      de: 'Bestätigen Sie Ihre neue E-Mail-Adresse bei {account}',
    },
    confirm: {
      en: 'An affiliate of {account} wants to use this address. Confirm that it is yours.',
      de: 'Ein Partner von {account} möchte diese Adresse verwenden. Bestätigen Sie, dass sie Ihnen gehört.',
    },
    link: { en: 'Confirm', de: 'Bestätigen' },
    closing: {
      en: 'The link can be used once and expires in 24 hours. If you did not expect this, ignore this email.',
      de: 'Der Link gilt einmal und 24 Stunden lang. Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
    },
  },
  addressChanged: {
    subject: {
      en: 'Your email address at {account} has changed',
      de: 'Ihre E-Mail-Adresse bei {account} hat sich geändert',
    },
    changed: {
      en: 'Your email address at {account} is now {email}.',
      de: 'Ihre E-Mail-Adresse bei {account} ist jetzt {email}.',
    },
    link: { en: 'Open your portal', de: 'Portal öffnen' },
    closing: {
      en: 'You get this email because the owners of both addresses confirmed the change.',
      de: 'Sie erhalten diese E-Mail, weil die Inhaber beider Adressen die Änderung bestätigt haben.',
    },
  },
  portalLink: {
    subject: { en: 'Your link to the affiliate portal of {account}', de: 'Ihr Link zum Partnerportal von {account}' },
    use: {
      en: 'Use this link to open your affiliate portal for {account}.',
      de: 'Mit diesem Link öffnen Sie Ihr Partnerportal von {account}.',
    },
    link: { en: 'Open your portal', de: 'Portal öffnen' },
    closing: {
      en: 'The link can be used once and expires in 15 minutes. If you did not request this, ignore this email: nobody can open the portal without the link.',
      de: 'Der Link gilt einmal und 15 Minuten lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Link kommt niemand hinein.',
    },
  },
  portalCode: {
    subject: {
      en: '{code} is your code for the affiliate portal of {account}',
      de: '{code} ist Ihr Code für das Partnerportal von {account}',
    },
    use: {
      en: 'To change your details in the affiliate portal of {account}, enter this code where you asked for it: {code}',
      de: 'Um Ihre Angaben im Partnerportal von {account} zu ändern, geben Sie diesen Code dort ein, wo Sie ihn angefordert haben: {code}',
    },
    closing: {
      en: 'The code can be used once and expires in 15 minutes. Tell it to nobody. If you did not ask for it, ignore this email: nothing changes without the code.',
      de: 'Der Code gilt einmal und 15 Minuten lang. Verraten Sie ihn niemandem. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Code ändert sich nichts.',
    },
  },
  portalSignIn: {
    subject: { en: 'Sign in to the affiliate portal of {account}', de: 'Anmeldung im Partnerportal von {account}' },
    useFactor: {
      en: 'You have turned on a second factor. Sign in with it to open your affiliate portal for {account}.',
      de: 'Sie haben einen zweiten Faktor eingeschaltet. Melden Sie sich mit ihm an, um Ihr Partnerportal von {account} zu öffnen.',
    },
    link: { en: 'Sign in', de: 'Anmelden' },
    closing: {
      en: 'If you did not request this, ignore this email: nobody can sign in without your code.',
      de: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne Ihren Code kommt niemand hinein.',
    },
  },
  ends: {
    owed: { en: 'What you have earned stays yours. {outlook}', de: 'Was Sie verdient haben, bleibt Ihres. {outlook}' },
  },
  terms: {
    added: { en: 'New or changed: {paragraphs}', de: 'Neu oder geändert: {paragraphs}' },
    removed: { en: 'No longer in them: {paragraphs}', de: 'Nicht mehr enthalten: {paragraphs}' },
    quoted: { en: '“{paragraph}”', de: '„{paragraph}“' },
    more: {
      en: { one: '{count} more paragraph has changed.', other: '{count} more paragraphs have changed.' },
      de: { one: '{count} weiterer Absatz wurde geändert.', other: '{count} weitere Absätze wurden geändert.' },
    },
  },
  digest: {
    commissions: {
      en: { one: '{count} commission', other: '{count} commissions' },
      de: { one: '{count} Provision', other: '{count} Provisionen' },
    },
  },
} as const satisfies Texts;
