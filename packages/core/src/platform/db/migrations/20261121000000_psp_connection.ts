import { Migration } from '@mikro-orm/migrations';

/** Adds connections to the payment provider. An account has at most one at a time. */
export class PspConnections extends Migration {
  override up(): void {
    this.addSql(`create table psp_connection (
      account_id text collate "C" primary key references account on delete cascade,
      livemode boolean not null,
      psp_account_id text not null,
      psp_account_name text,
      sealed_secret_key text not null,
      sealed_webhook_secret text not null,
      sealed_previous_webhook_secret text,
      previous_webhook_secret_expires_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`);
  }
}
