/** A tool from which programs move, as the pages, the command line and the configuration need to know it. */
export interface Tool {
  name: string;
  /** Address of the API, with the path of its version. */
  apiBase: string;
  /** The second part of the key, after a colon. Null if the key suffices. */
  secondPart: 'account_id' | 'program_id' | 'secret_key' | null;
}

/** The tools whose APIs are read. `kinds.ts` has how each is read. */
export const TOOLS = {
  rewardful: { name: 'Rewardful', apiBase: 'https://api.getrewardful.com/v1', secondPart: null },
  first_promoter: {
    name: 'FirstPromoter',
    apiBase: 'https://api.firstpromoter.com/api/v2/company',
    secondPart: 'account_id',
  },
  tolt: { name: 'Tolt', apiBase: 'https://api.tolt.com/v1', secondPart: 'program_id' },
  dub: { name: 'Dub', apiBase: 'https://api.dub.co', secondPart: null },
  partner_stack: { name: 'PartnerStack', apiBase: 'https://api.partnerstack.com/api/v2', secondPart: 'secret_key' },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolKind = keyof typeof TOOLS;

export const TOOL_KINDS = Object.keys(TOOLS) as ToolKind[];
