import type { Mail } from './mailer.ts';

/** A message as it is written to the outbox. */
type Written = Omit<Mail, 'id'>;

/** Joins several messages to one person, with the same sender and kind, into one. The latest comes first. */
export function joined(mails: readonly [Written, ...Written[]]): Written {
  const [latest, ...earlier] = mails;
  if (earlier.length === 0) return latest;
  const bodies = earlier.map(({ html }) => /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? '');
  return {
    ...latest,
    subject: `${latest.subject} (${mails.length})`,
    text: mails
      .map(({ text }) => text.trimEnd())
      .join('\n\n----------\n\n')
      .concat('\n'),
    // A function, so that `$` in a body has no meaning.
    html: latest.html.replace('</body>', () => `${bodies.map((body) => `<hr>\n${body.trim()}\n`).join('')}</body>`),
  };
}
