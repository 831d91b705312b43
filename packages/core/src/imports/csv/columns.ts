/** The records that files may contain. */
export const CSV_KINDS = ['affiliates', 'links', 'customers', 'codes', 'commissions', 'payouts'] as const;
export type CsvKind = (typeof CSV_KINDS)[number];

/**
 * The fields of each kind, with the headers by which they are known beside their own name. Headers are compared without case, blanks and punctuation.
 */
const FIELDS: Readonly<Record<CsvKind, Readonly<Record<string, readonly string[]>>>> = {
  affiliates: {
    id: ['affiliateid', 'partnerid', 'promoterid'],
    email: ['emailaddress', 'mail', 'useremail'],
    name: ['fullname', 'partnername', 'affiliatename', 'username'],
    first_name: ['firstname', 'givenname'],
    last_name: ['lastname', 'surname', 'familyname'],
    state: ['status'],
    paypal_email: ['paypal', 'paypaladdress'],
    wise_email: ['wise', 'wiseaddress'],
    token: ['referralcode', 'referraltoken', 'linktoken', 'refid', 'coderef', 'slug'],
    created_at: ['created', 'joined', 'joinedat', 'signedupat', 'date'],
  },
  links: {
    id: ['linkid'],
    affiliate: ['affiliateid', 'affiliateemail', 'partner', 'partneremail', 'email', 'promoter'],
    token: ['code', 'referralcode', 'key', 'slug'],
    url: ['link', 'destination', 'destinationurl', 'landingpage'],
    created_at: ['created', 'date'],
  },
  customers: {
    id: ['referralid'],
    affiliate: ['affiliateid', 'affiliateemail', 'partner', 'partneremail', 'referredby', 'promoter', 'token', 'referralcode'],
    email: ['customeremail', 'emailaddress'],
    name: ['customername', 'fullname'],
    stripe_customer_id: ['stripeid', 'stripecustomer', 'pspcustomerid', 'customerid'],
    external_customer_id: ['externalid', 'userid', 'uid'],
    created_at: ['created', 'signedupat', 'leadat', 'date'],
    converted_at: ['convertedat', 'customersince', 'firstpaymentat'],
  },
  codes: {
    affiliate: ['affiliateid', 'affiliateemail', 'partner', 'partneremail', 'email', 'promoter', 'token'],
    code: ['promocode', 'couponcode', 'coupon', 'promotioncode'],
    promotion_code_id: ['stripepromotioncodeid', 'psppromotioncodeid', 'stripeid', 'externalid'],
    created_at: ['created', 'date'],
  },
  commissions: {
    id: ['commissionid', 'rewardid'],
    affiliate: ['affiliateid', 'affiliateemail', 'partner', 'partneremail', 'promoter', 'promoteremail', 'token', 'referralcode'],
    customer: ['customeremail', 'customerid', 'stripecustomerid', 'referralid', 'referralemail'],
    state: ['status'],
    amount: ['commission', 'commissionamount', 'reward', 'earnings'],
    amount_cents: ['commissionamountcents'],
    currency: ['commissioncurrency', 'currencycode'],
    sale_amount: ['revenue', 'saleamount', 'chargeamount'],
    sale_amount_cents: ['revenuecents', 'chargeamountcents'],
    stripe_charge_id: ['chargeid', 'stripecharge', 'pspchargeid', 'transactionid', 'eventid'],
    payout: ['payoutid'],
    due_at: ['dueat', 'duedate'],
    paid_at: ['paidat', 'paidon', 'paiddate'],
    created_at: ['created', 'createdon', 'date', 'chargedat', 'earnedat'],
  },
  payouts: {
    id: ['payoutid'],
    affiliate: ['affiliateid', 'affiliateemail', 'partner', 'partneremail', 'email', 'promoter', 'promoteremail'],
    state: ['status'],
    amount: ['payoutamount', 'total'],
    amount_cents: ['payoutamountcents'],
    currency: ['currencycode'],
    reference: ['paymentreference', 'transactionid', 'note'],
    paid_at: ['paidat', 'paidon', 'paiddate', 'date'],
    created_at: ['created', 'createdon'],
  },
};

export function fieldsOf(kind: CsvKind): string[] {
  return Object.keys(FIELDS[kind]);
}

/** Returns the field of a header, or null. `given` names fields by header. */
export function fieldOf(kind: CsvKind, header: string, given: Readonly<Record<string, string>>): string | null {
  if (Object.hasOwn(given, header)) return Object.hasOwn(FIELDS[kind], given[header]!) ? given[header]! : null;
  const plain = plainHeader(header);
  for (const [field, names] of Object.entries(FIELDS[kind]))
    if (plain === plainHeader(field) || names.includes(plain)) return field;
  return null;
}

function plainHeader(header: string): string {
  return header.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
