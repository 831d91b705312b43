import type { Fields, Reply } from '../../support/http.ts';
import { answered } from '../../support/rest.ts';
import type { TestAccount } from '../../support/service.ts';
import { createExport, payee, type Payee, type PayoutExport } from '../program.ts';

/** Accounts that banks publish as examples. Their check digits are right. */
export const IBANS = {
  merchant: 'DE89370400440532013000',
  germany: 'DE75512108001245126199',
  france: 'FR1420041010050500013M02606',
  netherlands: 'NL91ABNA0417164300',
  sweden: 'SE4550000000058398257466',
};

export const DEBTOR = { account_holder: 'Gebrüder Weiß GmbH & Co. KG', iban: IBANS.merchant, bic: 'COBADEFFXXX' };

/** A merchant who pays affiliates by files for the bank. */
export class BankMerchant {
  readonly account: TestAccount;

  constructor(account: TestAccount) {
    this.account = account;
  }

  connect(credentials: Fields = DEBTOR, kind = 'bank_sepa'): Promise<Reply> {
    return this.account.api.send('POST', '/api/settings/v1/payout_rails', { body: { kind, credentials } });
  }

  addMethod(affiliateId: string, address: Fields, kind = 'bank_sepa'): Promise<Reply> {
    return this.account.api.post('/payout_methods', { affiliate_id: affiliateId, kind, address });
  }

  /** Adds an affiliate with an account at a bank, who is owed a tenth of `amount_cents`. */
  async payee(
    address: Fields,
    { kind = 'bank_sepa', ...options }: { kind?: string } & Parameters<typeof payee>[1] = {},
  ): Promise<Payee> {
    const owed = await payee(this.account, {
      currency: 'EUR',
      ...options,
      person: { walleta_email: null, walletb_email: null, ...options?.person },
    });
    answered(201, await this.addMethod(owed.program.affiliate.id, address, kind));
    return owed;
  }

  export(input: Fields = {}): Promise<PayoutExport> {
    return createExport(this.account, { export_format: 'bank_sepa', ...input });
  }

  async fileOf(id: string, input: Record<string, string> = {}): Promise<{ filename: string; content: string }> {
    const { filename, content } = answered(200, await this.account.api.get(`/payout_exports/${id}`, input));
    return { filename: String(filename), content: String(content) };
  }
}
