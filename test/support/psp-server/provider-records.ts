import type { Stripe } from 'stripe';
import { invalidRequest, noSuch } from './api-error.ts';
import { account } from './objects/account.ts';
import type { WireEvent } from './objects/event.ts';
import { promotionCode } from './objects/promotion.ts';

/** The records of an account in one mode. They are stored in order of creation, and lists return them newest first. */
export class ProviderRecords {
  readonly account: Stripe.Account;
  readonly livemode: boolean;
  readonly coupons: Stripe.Coupon[] = [];
  readonly promotionCodes: Stripe.PromotionCode[] = [];
  readonly invoices: Stripe.Invoice[] = [];
  readonly invoicePayments: Stripe.InvoicePayment[] = [];
  readonly subscriptions: Stripe.Subscription[] = [];
  /** Discounts, which other objects refer to by their ids. The provider shows them only where they are expanded. */
  readonly discounts: Stripe.Discount[] = [];
  readonly events: { event: WireEvent; delivered: boolean }[] = [];

  constructor(livemode: boolean, fields: Partial<Stripe.Account> = {}) {
    this.livemode = livemode;
    this.account = account(fields);
  }

  coupon(id: string): Stripe.Coupon {
    const found = this.coupons.find((coupon) => coupon.id === id);
    if (!found) throw noSuch('coupon', id, 'coupon');
    return found;
  }

  invoice(id: string): Stripe.Invoice {
    const found = this.invoices.find((invoice) => invoice.id === id);
    if (!found) throw noSuch('invoice', id, 'invoice');
    return found;
  }

  subscription(id: string): Stripe.Subscription {
    const found = this.subscriptions.find((subscription) => subscription.id === id);
    if (!found) throw noSuch('subscription', id, 'subscription');
    return found;
  }

  discount(id: string): Stripe.Discount {
    const found = this.discounts.find((discount) => discount.id === id);
    if (!found) throw noSuch('discount', id, 'discount');
    return found;
  }

  promotionCode(id: string): Stripe.PromotionCode {
    const found = this.promotionCodes.find((code) => code.id === id);
    if (!found) throw noSuch('promotion code', id, 'promotion_code');
    return found;
  }

  createPromotionCode(input: { code: string; coupon: string; metadata: Record<string, string> }): Stripe.PromotionCode {
    if (!this.coupon(input.coupon).valid) {
      throw invalidRequest('This coupon has expired or been fully redeemed.', { code: 'coupon_expired', param: 'coupon' });
    }
    if (!/^[A-Za-z0-9-]{1,500}$/.test(input.code)) throw invalidRequest('Invalid characters in code', { param: 'code' });
    if (this.promotionCodes.some((code) => code.active && code.code.toLowerCase() === input.code.toLowerCase())) {
      throw invalidRequest(`An active promotion code with \`code: ${input.code}\` already exists.`, { param: 'code' });
    }
    const created = promotionCode({
      code: input.code,
      livemode: this.livemode,
      metadata: input.metadata,
      promotion: { type: 'coupon', coupon: input.coupon },
    });
    this.promotionCodes.push(created);
    return created;
  }

  setActive(id: string, active: boolean): Stripe.PromotionCode {
    const found = this.promotionCode(id);
    if (active && !found.active && !this.coupon(couponIdOf(found)).valid) {
      throw invalidRequest('This promotion code cannot be reactivated.', { param: 'active' });
    }
    found.active = active;
    return found;
  }
}

export function couponIdOf(code: Stripe.PromotionCode): string {
  const { coupon } = code.promotion;
  return typeof coupon === 'string' ? coupon : (coupon?.id ?? '');
}
