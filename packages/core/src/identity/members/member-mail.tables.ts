import type { Instant } from '../../platform/time/instant.ts';
import type { MemberMail } from './member-mail.states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    member_mail_choice: MemberMailChoiceTable;
    member_mail_progress: MemberMailProgressTable;
  }
}

/** The mails that a member has chosen. Without a row, those of their role. */
interface MemberMailChoiceTable {
  account_id: string;
  user_id: string;
  mails: MemberMail[];
}

/** The time up to which an account's members were told of something that is put together in one mail. */
interface MemberMailProgressTable {
  account_id: string;
  mail: MemberMail;
  until: Instant;
}
