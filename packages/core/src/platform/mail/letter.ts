import type { Language, PlacesOf, Text, Texts } from '../texts/texts.ts';
import { inLanguage } from './in-language.ts';
import type { Mail } from './mailer.ts';

/** Texts that all emails share. */
export const LETTER_TEXTS = {
  letter: {
    copyAddress: { en: 'Or copy this URL into your browser:', de: 'Oder kopieren Sie diese Adresse in Ihren Browser:' },
    questions: { en: 'Questions? Write to {email}.', de: 'Fragen? Schreiben Sie an {email}.' },
    unsubscribe: { en: 'Unsubscribe', de: 'Abbestellen' },
  },
} as const satisfies Texts;

export interface Letter {
  to: string;
  /** Language of the texts. */
  language: Language;
  subject: string;
  /** Paragraphs before the link: why this message was sent. */
  lines: string[];
  link: { label: string; url: string };
  /** Paragraph after the link: when it expires, and what to do if the message was not expected. */
  closing: string;
  /** Name, logo, colors and support address of the account on whose behalf the message is sent. */
  letterhead?: Letterhead;
  /**
   * URL that unsubscribes the reader from emails of this kind. It is shown below the closing, and is in the headers of the
   * message.
   */
  unsubscribeUrl?: string;
}

/** How an account appears in emails. */
export interface Letterhead {
  name: string;
  logoUrl: string | null;
  /** Colors of the button. */
  colors: { background: string; text: string } | null;
  supportEmail: string | null;
}

const COLORS = { background: '#1c4ed8', text: '#ffffff' };

/** Composes a message around one link, as text and as HTML with the same content. Values may be untrusted and are escaped. */
export function compose({ to, language, subject, lines, link, closing, letterhead, unsubscribeUrl }: Letter): Omit<Mail, 'id'> {
  const say = inLanguage(language);
  const t = LETTER_TEXTS.letter;
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  const unsubscribe =
    unsubscribeUrl === undefined
      ? ''
      : `\n<p style="color: #555555"><a href="${escapeHtml(unsubscribeUrl)}">${say(t.unsubscribe)}</a></p>`;
  const { background, text } = letterhead?.colors ?? COLORS;
  const logo =
    letterhead === undefined || letterhead.logoUrl === null
      ? ''
      : `<p><img src="${escapeHtml(letterhead.logoUrl)}" alt="${escapeHtml(letterhead.name)}" height="40" style="height: 40px; max-width: 100%"></p>\n`;
  const support =
    letterhead === undefined || letterhead.supportEmail === null ? [] : [say(t.questions, { email: letterhead.supportEmail })];
  const footer = [closing, ...support];
  return {
    to,
    subject: subject.replaceAll(/\s+/g, ' '),
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
    ...(letterhead?.supportEmail ? { replyTo: letterhead.supportEmail } : {}),
    text: [...lines, link.url, ...footer, ...(unsubscribeUrl === undefined ? [] : [`${say(t.unsubscribe)}: ${unsubscribeUrl}`])]
      .join('\n\n')
      .concat('\n'),
    html: `<!doctype html>
<html lang="${language}">
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36rem; margin: 2rem auto; padding: 0 1rem">
${logo}${paragraphs}
<p><a href="${escapeHtml(link.url)}" style="display: inline-block; padding: 0.6rem 1.2rem; border-radius: 0.4rem; background: ${background}; color: ${text}; text-decoration: none">${escapeHtml(link.label)}</a></p>
<p>${say(t.copyAddress)}<br>${escapeHtml(link.url)}</p>
${footer.map((line) => `<p style="color: #555555">${escapeHtml(line)}</p>`).join('\n')}${unsubscribe}
</body>
</html>
`,
  };
}

/** The texts of one email: its subject, the label of its link, its closing, and its paragraphs in their order. */
type LetterTexts = Readonly<{ subject: Text; link: Text; closing: Text } & Record<string, Text>>;

/** Composes a message from its texts, of which all but the subject, the label and the closing are paragraphs. */
export function composeTexts<const Of extends LetterTexts>(
  { language, ...to }: Pick<Letter, 'to' | 'language' | 'letterhead'>,
  { subject, link, closing, ...paragraphs }: Of,
  url: string,
  values: Readonly<Record<PlacesOf<Of[keyof Of]>, string>>,
): Omit<Mail, 'id'> {
  const inTheirs = inLanguage(language) as (text: Text, values: object) => string;
  const say = (text: Text) => inTheirs(text, values);
  const lines = Object.values(paragraphs).map(say);
  return compose({ ...to, language, subject: say(subject), lines, link: { label: say(link), url }, closing: say(closing) });
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for use in HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
