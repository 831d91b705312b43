/** The payment providers that are reached at an address of their own (`<KIND>_API_BASE`). `sources.ts` has how each is read. */
export const PROVIDER_KINDS = ['paddle', 'dodo', 'lemon_squeezy', 'polar', 'shopify', 'woocommerce'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];
