import type { Instant } from '../../platform/time/instant.ts';
import type { MemberMail } from '../../platform/wire/states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    member_mail_choice: MemberMailChoiceTable;
    member_mail_progress: MemberMailProgressTable;
  }
}

/** The emails that a member has chosen. A member without a row gets the default emails of the role. */
interface MemberMailChoiceTable {
  account_id: string;
  user_id: string;
  mails: MemberMail[];
}

/** End of the last period that a periodic email to the members of an account has covered. The period of the next email starts at `until`. */
interface MemberMailProgressTable {
  account_id: string;
  mail: MemberMail;
  until: Instant;
}
