import { Browser } from '../support/browser.ts';
import { must } from '../support/program.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';
import { mailedToken } from './people.ts';

type Join = Outputs['join'];

export const FRIENDS = { name: 'Friends', url: 'https://shop.example.com/', reward_type: 'percent', commission_percent: 10 };

/** The sign-up page of an account's campaign, as applicants use it. */
export class SignUp {
  readonly #service: TestService;
  /** Name of the account in URLs. */
  readonly slug: string;

  private constructor(service: TestService, slug: string) {
    [this.#service, this.slug] = [service, slug];
  }

  /** Creates a campaign. Returns its sign-up page. */
  static async of(service: TestService, account: TestAccount): Promise<SignUp> {
    await must(account, '/campaigns', { ...FRIENDS, days_until_commissions_are_due: 0 });
    return new SignUp(service, (await account.client.portalSettings.get.query()).slug);
  }

  anyone(): Browser {
    return new Browser(this.#service.url, this.#service.services.publicUrl);
  }

  openPage(campaign = 'friends') {
    return this.anyone().query<Join['page']>('join.page', { account: this.slug, campaign });
  }

  /** Opens the page, takes `seconds` to fill it in, and submits it. */
  async apply(email: string, more: object = {}, seconds = 5) {
    const { body } = await this.openPage();
    this.#service.clock.advance(seconds, 'seconds');
    const { form_token, terms } = body.result!.data;
    return this.anyone().mutate<Join['submit']>('join.submit', {
      account: this.slug,
      campaign: 'friends',
      email,
      form_token,
      ...(terms ? { accepted_terms: terms.version } : {}),
      ...more,
    });
  }

  confirm(token: string) {
    return this.anyone().mutate<Join['confirm']>('join.confirm', { token });
  }

  /** Returns the token of the email that asks for a confirmation. */
  confirmationOf(email: string): Promise<string> {
    return mailedToken(this.#service, email, /Confirm your application/);
  }
}
