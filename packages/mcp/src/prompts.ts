import { type Services, invalid, untranslated } from '@affiliate/core';
import type { CompleteRequest, CompleteResult, GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { type ResourceCall, completeId } from './resources.ts';

interface PromptDefinition extends Prompt {
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  /** Builds the request of the user from the arguments. */
  text: (given: Readonly<Record<string, string>>) => string;
}

/** Requests that a person can choose in the assistant's menu. */
const PROMPTS: readonly PromptDefinition[] = [
  {
    name: 'run_the_month',
    title: 'Run the month',
    description: 'Approves applications, reviews flagged commissions, and pays what is due, with a preview before every step.',
    arguments: [],
    text: () => `Run this month for the affiliate program, step by step. Show me a preview before every change, and wait for my approval.
1. Use "program_overview summary". Tell me what is owed per currency, and what needs review.
2. Use "affiliates applications". Propose a decision for each applicant, with the reason.
3. Use "commissions list" with review_status suspicious. Skip those with review_reason unpaid_lead. For each commission, use explain and propose to approve or to void it.
4. Use "payouts list" with state pending. Say for each why it is not eligible.
5. Preview a payout run with "manage_payout_runs create". Show me the count and the totals. After I approve, create the run, preview execute with async false, and execute it.
6. Use "payout_runs items" to list the payouts that failed, and "payout_runs reconcile". Report discrepancies.`,
  },
  {
    name: 'explain_payout',
    title: 'Explain a payout',
    description: 'Explains how a payout came about, and why it is or is not paid.',
    arguments: [{ name: 'payout_id', description: 'ID of the payout', required: true }],
    text: ({ payout_id }) =>
      `Use explain with action payout and id ${payout_id}, and "payouts get" with expand commissions. Explain in plain words what the payout consists of, what happened to it, and, if it is not paid, why not and what would make it payable.`,
  },
  {
    name: 'review_flagged_commissions',
    title: 'Review flagged commissions',
    description: 'Goes through the commissions that wait for a decision.',
    arguments: [],
    text: () =>
      'Use "commissions list" with review_status suspicious. Skip those with review_reason unpaid_lead. For each commission, use explain with action commission, tell me the facts that speak for and against it, and propose approve or deactivate. Preview each decision with "manage_commissions review", and carry it out only after I approve.',
  },
  {
    name: 'explain_sale',
    title: 'Why was this sale not attributed?',
    description: 'Explains which affiliate earned from a sale, or why nobody did.',
    arguments: [{ name: 'order', description: 'Order ID, sale ID or Stripe ID', required: true }],
    text: ({ order }) =>
      `Find the sale ${order} with "program_overview search", then use explain with action sale. Tell me which affiliate earned from it, or why nobody did (no_commission_reason), with the times of the clicks, the sale and the commission. If an affiliate should have earned, preview "manage_sales assign" and ask me.`,
  },
  {
    name: 'set_up_tracking',
    title: 'Set up tracking on my site',
    description: 'Guides through the tracking script, the first link and a first sale.',
    arguments: [{ name: 'site', description: 'Address of the site', required: true }],
    text: ({ site }) =>
      `Help me to set up tracking on ${site}. Check with "campaigns list" that an active campaign has the address of my site. Then guide me through Settings, Tracking in the service, where I get the script and check the page. At the end, use "referrals list" and "sales list" to show that a test visit and a sale arrived.`,
  },
];

/** Longest argument of a prompt, in characters. */
const MAX_ARGUMENT_LENGTH = 500;

export function listPrompts(): Prompt[] {
  return PROMPTS.map(({ text: _, ...prompt }) => prompt);
}

/** Builds a prompt. Throws VALIDATION_ERROR for an unknown prompt, and for missing, unknown or overlong arguments. */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt) throw invalid('name', untranslated('There is no prompt with this name. List the prompts first.'), 'not_found');
  for (const { name: argument, required } of prompt.arguments)
    if (required && !given[argument]) throw invalid(argument, untranslated('Is required.'), 'required');
  for (const [argument, value] of Object.entries(given)) {
    if (!prompt.arguments.some((known) => known.name === argument))
      throw invalid(argument, untranslated('The prompt has no such argument.'), 'unrecognized_key');
    if (value.length > MAX_ARGUMENT_LENGTH)
      throw invalid(argument, untranslated(`Must have at most ${MAX_ARGUMENT_LENGTH} characters.`), 'too_big');
  }
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }] };
}

/** Returns ids for an argument of a prompt, or for the id in a resource template. Empty for other arguments. */
export async function complete(
  services: Services,
  call: ResourceCall,
  { ref, argument }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const kind =
    ref.type === 'ref/prompt'
      ? argument.name === 'payout_id' && ref.name === 'explain_payout' && 'payouts'
      : argument.name === 'id' && /^affiliate:\/\/([a-z_]+)\/\{id\}$/.exec(ref.uri)?.[1];
  const values = kind ? await completeId(services, call, kind, argument.value) : [];
  return { completion: { values, hasMore: false } };
}
