/** The address of a payout method, in the form of its kind. An `email` in it belongs to the affiliate and gets mail about changes. */
export type PayoutAddress = Readonly<Record<string, string>>;

/** The addresses of an affiliate's methods that are not removed, by kind. */
export type PayoutAddresses = Readonly<Record<string, PayoutAddress>>;
