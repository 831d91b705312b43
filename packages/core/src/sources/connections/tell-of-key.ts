/** Emails to members about the key of a connection (docs/rules/identity.md#mails-to-members). */
import { type Letter, mailMembers, type MemberLetter } from '../../identity/members/member-mails.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { lock, save } from '../../platform/call/records.ts';
import { dayIn } from '../../platform/mail/in-language.ts';
import type { PspError } from '../port/psp-error.ts';
import type { KeyExpirySeen } from '../port/seen.ts';
import { Connection } from './connection.entity.ts';
import { SOURCE_MAILS as t } from './mail-texts.ts';
import { sourceOf } from './open-connection.ts';

/** Tells members that the provider has begun to refuse the key of a connection. */
export async function tellOfRefusedKey(ctx: WriteCtx, connection: Connection, { said }: PspError): Promise<void> {
  const { name: provider } = sourceOf(ctx.services, connection);
  await tell(ctx, connection, (say, language) => ({
    subject: say(t.refusedKey.subject, { provider }),
    lines: [say(t.refusedKey.said, { provider, problem: said.in(language) }), say(t.refusedKey.waits, { provider })],
  }));
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
  await tell(ctx, connection, (say, language) => {
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
  letter: (...of: Parameters<Letter>) => Omit<MemberLetter, 'link'>,
): Promise<void> {
  if (mode !== 'live') return;
  await mailMembers(ctx, 'troubled_connections', (say, language) => ({
    ...letter(say, language),
    link: { label: say(t.page.link), path: '/settings/payment-provider' },
  }));
}
