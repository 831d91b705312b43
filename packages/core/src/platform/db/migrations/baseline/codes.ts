import { RECORD, TIMES } from './platform.ts';

/** Tables of the room `codes`. */
export const CODES = [
  // Affiliates' promotion codes at the payment provider.
  `create table promo_code (
    ${RECORD},
    affiliate_id text collate "C" not null references affiliate,
    campaign_id text collate "C" not null references campaign,
    origin text not null check (origin in ('import', 'create', 'affiliate_coupon', 'own')),
    -- For a code of the merchant's own shop: own: and the code in lower case.
    psp_promotion_code_id text not null,
    psp_coupon_id text,
    code text not null,
    livemode boolean not null,
    tracking_token text not null unique,
    status text not null check (status in ('active', 'inactive', 'stopped')),
    observation jsonb,
    observed_at timestamptz(3),
    stopped_at timestamptz(3),
    ${TIMES},
    check ((status = 'stopped') = (stopped_at is not null)),
    check ((origin = 'own') = (observation is null) and (observation is null) = (observed_at is null))
  )`,
  // A promotion code of an account and mode belongs to one affiliate forever. Ended assignments keep their row, so that the code cannot be assigned again.
  'create unique index promo_code_owner on promo_code (account_id, livemode, psp_promotion_code_id)',
  'create index promo_code_list on promo_code (affiliate_id, id)',
  'create index promo_code_account on promo_code (account_id, id)',
  'create index promo_code_text on promo_code (account_id, lower(code))',

  // An affiliate has at most one coupon, which references its current promotion code.
  `create table affiliate_coupon (
    ${RECORD},
    affiliate_id text collate "C" not null references affiliate,
    promo_code_id text collate "C" not null references promo_code,
    ${TIMES}
  )`,
  'create unique index affiliate_coupon_one on affiliate_coupon (affiliate_id)',
];
