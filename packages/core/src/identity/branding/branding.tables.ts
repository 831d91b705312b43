/** Images that browsers show without running anything in them. SVG is not among them. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    account_logo: AccountLogoTable;
  }
}

/** The logo of an account. Its hash is in the account's row, because most readers need no more. */
interface AccountLogoTable {
  account_id: string;
  content_type: (typeof LOGO_TYPES)[number];
  content: Buffer;
}
