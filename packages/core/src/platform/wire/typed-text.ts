/** Text as people type and paste it: blanks and invisible characters at its ends never matter (docs/rules/platform.md#text). */

/** White space, and characters that show nothing, such as a zero-width space or a byte order mark. */
const INVISIBLE = /[\s\p{Cf}]/u;

/** Control characters, except tab and line breaks, which texts of several lines contain. They show nothing, and terminals and headers obey them. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
const CONTROLS = new RegExp(CONTROL, 'gu');

/** True if a text contains control characters, which no door accepts (docs/rules/platform.md#text). */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}

/** Removes control characters from text that comes from elsewhere and cannot be refused. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, '');
}

/** True if a text has one line, as names do: no tab and no line break. */
export function isOneLine(text: string): boolean {
  return !/[\t\n\r\u2028\u2029]/.test(text);
}

/** Removes blanks and invisible characters from both ends. Takes time in proportion to the length, whatever the text. */
export function trimEnds(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && INVISIBLE.test(text[from]!)) from += 1;
  while (from < to && INVISIBLE.test(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

/** A domain with letters that are not ASCII, and nothing that a URL would read as something other than its host. */
const INTERNATIONAL_DOMAIN = /@(?=[^@]*[^\0-\x7F])([^\s@/?#:\\]+)$/;

/**
 * Returns the form in which an email address is stored: without blanks at its ends, and with its domain in ASCII, so that `ada@exämple.com` and
 * `ada@xn--exmple-cua.com` are the same address. Text that is no address is returned as it is.
 */
export function typedEmail(text: string): string {
  return trimEnds(text).replace(INTERNATIONAL_DOMAIN, (written, domain: string) => {
    const host = URL.parse(`http://${domain}`)?.hostname;
    return host ? `@${host}` : written;
  });
}

/** The ends of a sentence and of brackets and quotes, which people copy along with a code. */
const PUNCTUATION = '.,;:!?)]}>"\'»”’';

/** Returns the texts for which a typed code may stand: the code without blanks at its ends and, second, without punctuation at its end. */
export function typedCodes(text: string): string[] {
  const code = trimEnds(text);
  let to = code.length;
  while (to > 0 && PUNCTUATION.includes(code[to - 1]!)) to -= 1;
  return to === code.length || to === 0 ? [code] : [code, code.slice(0, to)];
}
