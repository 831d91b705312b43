/** Emails to members about the key of a connection (docs/rules/identity.md#mails-to-members). */
import { type MemberLetter, tellMembers } from '../../identity/members/member-mails.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock, save } from '../../platform/call/records.ts';
import { dayIn, inLanguage } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import type { PspError } from '../port/psp-error.ts';
import type { KeyExpirySeen } from '../port/seen.ts';
import { Connection } from './connection.entity.ts';
import { SOURCE_MAILS as t } from './mail-texts.ts';
import { sourceOf } from './open-connection.ts';

/** Tells members that the provider has begun to refuse the key of a connection. */
export async function tellOfRefusedKey(ctx: WriteCtx, connection: Connection, { said }: PspError): Promise<void> {
  const { name: provider } = sourceOf(ctx.services, connection);
  await tell(ctx, connection, (language) => {
    const say = inLanguage(language);
    return {
      subject: say(t.refusedKey.subject, { provider }),
      lines: [say(t.refusedKey.said, { provider, problem: said.in(language) }), say(t.refusedKey.waits, { provider })],
    };
  });
}

/** Stores when the key of a connection expires, and tells members. */
export async function learnKeyExpiry(ctx: WriteCtx, { connectionId, expiresAt }: KeyExpirySeen): Promise<void> {
  const connection = await lock(ctx, Connection, connectionId);
  if (connection.key_expires_at === expiresAt) return;
  save(ctx, Connection, connection, { key_expires_at: expiresAt, updated_at: ctx.now });
  const { name: provider } = sourceOf(ctx.services, connection);
  const { time_zone } = await ctx.db
    .selectFrom('account')
    .select('time_zone')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  await tell(ctx, connection, (language) => {
    const say = inLanguage(language);
    const day = dayIn(language, expiresAt, time_zone);
    return {
      subject: say(t.expiringKey.subject, { provider }),
      lines: [say(t.expiringKey.until, { provider, day }), say(t.expiringKey.stays)],
    };
  });
}

async function tell(
  ctx: WriteCtx,
  { mode }: Connection,
  letterIn: (language: Language) => Omit<MemberLetter, 'link'>,
): Promise<void> {
  if (mode !== 'live') return;
  const told = await tellMembers(ctx, 'troubled_connections', (language) => ({
    ...letterIn(language),
    link: { label: inLanguage(language)(t.page.link), path: '/settings/payment-provider' },
  }));
  if (told > 0) ctx.afterCommit(() => ctx.services.jobs.send('mail'));
}
