import { type Manual, readManuals } from '@affiliate/core';
import { Router } from 'express';
import { CONTRACT_NAMES } from './openapi/contracts.ts';
import { publicText } from './public-text.ts';

const SUMMARY =
  'A service that runs affiliate programs: affiliates promote a merchant through tracked links, visitors become referrals, sales earn commissions, and commissions are paid in payouts. Programs use two REST APIs, webhooks, SDKs for TypeScript and Python, and MCP tools.';

/**
 * Serves each manual as `/docs/<name>.md`, a list of them for language models as `/llms.txt`, and all of them as `/llms-full.txt`. They are public,
 * because they contain no account data.
 */
export function manualRoutes(publicUrl: string): Router {
  const router = Router();
  const manuals = readManuals();
  for (const { name, text } of manuals)
    router.get(
      `/docs/${name}.md`,
      publicText('text/markdown', () => text),
    );
  router.get(
    '/llms.txt',
    publicText('text/plain', () => listOf(manuals, publicUrl)),
  );
  router.get(
    '/llms-full.txt',
    publicText('text/plain', () => fullText(manuals, publicUrl)),
  );
  return router;
}

/** Returns the list in the format of https://llmstxt.org. */
function listOf(manuals: readonly Manual[], publicUrl: string): string {
  const lines = manuals.map(
    ({ name, title, summary }) => `- [${title}](${publicUrl}/docs/${name}.md)${summary === '' ? '' : `: ${summary}`}`,
  );
  const contracts = CONTRACT_NAMES.map((name) => `- [Contract ${name}](${publicUrl}/openapi/${name}.yaml): OpenAPI 3.1`);
  return `# Affiliate program service\n\n> ${SUMMARY}\n\n## Manuals\n\n${lines.join('\n')}\n\n## Contracts\n\n${contracts.join('\n')}\n\n## Optional\n\n- [All manuals in one file](${publicUrl}/llms-full.txt)\n`;
}

function fullText(manuals: readonly Manual[], publicUrl: string): string {
  return manuals.map(({ name, text }) => `<!-- ${publicUrl}/docs/${name}.md -->\n\n${text.trim()}\n`).join('\n');
}
