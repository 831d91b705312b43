import type { Texts } from '../platform/texts/texts.ts';

/** Texts of the emails about accounts, members and signing in. */
export const IDENTITY_MAILS = {
  accountDeletion: {
    subject: { en: '{account} will be deleted', de: '{account} wird gelöscht' },
    request: {
      en: 'An owner asked to delete the account {account}.',
      de: 'Ein Inhaber möchte das Konto {account} löschen.',
    },
    when: {
      en: 'On {day} at {time} all its records will be removed permanently: affiliates, sales, commissions, payouts and settings.',
      de: 'Am {day} um {time} werden alle seine Daten endgültig entfernt: Partner, Verkäufe, Provisionen, Auszahlungen und Einstellungen.',
    },
    link: { en: 'Keep the account', de: 'Konto behalten' },
    closing: {
      en: 'Until then everything works as before, and any owner can keep the account on its settings page.',
      de: 'Bis dahin arbeitet alles wie bisher, und jeder Inhaber kann das Konto auf der Seite mit den Einstellungen behalten.',
    },
  },
  memberMail: {
    closing: {
      en: 'You get this email as a member of {account}. Choose your emails in your profile.',
      de: 'Sie erhalten diese E-Mail als Mitglied von {account}. Welche E-Mails Sie erhalten, wählen Sie in Ihrem Profil.',
    },
  },
  guessedPassword: {
    subject: { en: 'Somebody is trying to guess your password', de: 'Jemand versucht, Ihr Passwort zu erraten' },
    happened: {
      en: 'Somebody has entered many wrong passwords for {email}, from several networks. None of them was right.',
      de: 'Jemand hat viele falsche Passwörter für {email} eingegeben, aus mehreren Netzen. Keines davon war richtig.',
    },
    consequence: {
      en: 'Browsers in which you have signed in before still accept your password. In another browser, sign in with this link.',
      de: 'Browser, in denen Sie schon angemeldet waren, nehmen Ihr Passwort weiterhin an. In einem anderen Browser melden Sie sich mit diesem Link an.',
    },
    closing: {
      en: 'The link works once, within 15 minutes. If your password is short or used elsewhere, choose another one.',
      de: 'Der Link gilt einmal, 15 Minuten lang. Wenn Ihr Passwort kurz ist oder auch anderswo gilt, wählen Sie ein anderes.',
    },
  },
  passwordReset: {
    subject: { en: 'Reset your password', de: 'Passwort zurücksetzen' },
    request: {
      en: 'We received a request to reset the password for {email}.',
      de: 'Jemand möchte das Passwort für {email} zurücksetzen.',
    },
    link: { en: 'Reset password', de: 'Passwort zurücksetzen' },
    closing: {
      en: 'The link can be used once and expires in one hour. If you did not request this, ignore this email. Your password will not change.',
      de: 'Der Link gilt einmal und eine Stunde lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
    },
  },
  secondFactorRemoved: {
    subject: { en: 'Your second factor was removed', de: 'Ihr zweiter Faktor wurde entfernt' },
    removed: {
      en: '{by} removed the second factor of {email}. From now on your password or a sign-in link is enough to sign in.',
      de: '{by} hat den zweiten Faktor von {email} entfernt. Ab jetzt genügt zum Anmelden Ihr Passwort oder ein Anmeldelink.',
    },
    operator: { en: 'The operator of the service', de: 'Der Betreiber des Dienstes' },
    link: { en: 'Open the profile', de: 'Profil öffnen' },
    closing: {
      en: 'You can set up a new one in your profile. If you did not ask for this, change your password and tell the owners of your team.',
      de: 'Einen neuen richten Sie in Ihrem Profil ein. Wenn Sie nicht darum gebeten haben, ändern Sie Ihr Passwort und verständigen Sie die Inhaber Ihres Teams.',
    },
  },
  secondFactorRequired: {
    subject: { en: '{account} requires a second factor', de: '{account} verlangt einen zweiten Faktor' },
    required: {
      en: 'An owner of {account} requires a second factor of all members. You have not set one up yet.',
      de: 'Ein Inhaber von {account} verlangt von allen Mitgliedern einen zweiten Faktor. Sie haben noch keinen.',
    },
    now: {
      en: 'From now on you can open the account only with a second factor.',
      de: 'Ab jetzt können Sie das Konto nur noch mit einem zweiten Faktor öffnen.',
    },
    later: {
      en: 'From {day} at {time} you can open the account only with a second factor.',
      de: 'Ab dem {day} um {time} können Sie das Konto nur noch mit einem zweiten Faktor öffnen.',
    },
    link: { en: 'Set it up', de: 'Einrichten' },
    closing: {
      en: 'You need your password and an authenticator app. Your other accounts stay open.',
      de: 'Sie brauchen Ihr Passwort und eine Authenticator-App. Ihre anderen Konten bleiben offen.',
    },
  },
  signInLink: {
    subject: { en: 'Your sign-in link', de: 'Ihr Anmeldelink' },
    subjectFor: { en: 'Your sign-in link for {programs}', de: 'Ihr Anmeldelink für {programs}' },
    useFor: {
      en: 'Use this link to sign in to {programs} as {email}.',
      de: 'Mit diesem Link melden Sie sich bei {programs} als {email} an.',
    },
    use: { en: 'Use this link to sign in as {email}.', de: 'Mit diesem Link melden Sie sich als {email} an.' },
    link: { en: 'Sign in', de: 'Anmelden' },
    closing: {
      en: 'The link can be used once and expires in 15 minutes. If you did not request this, ignore this email: nobody can sign in without the link.',
      de: 'Der Link gilt einmal und 15 Minuten lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Link wird niemand angemeldet.',
    },
  },
} as const satisfies Texts;
