import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { CONTRACT_NAMES } from './openapi/contracts.ts';
import { publicText } from './public-text.ts';

/** Directory of the manuals: beside the code in a production build, and otherwise in the repository. */
const DIRECTORY = [new URL('manuals/', import.meta.url), new URL('../../../docs/', import.meta.url)].find((each) =>
  existsSync(each),
)!;

/** Manuals for people who change the service. They are not served. */
const INTERNAL = new Set(['first-change', 'style', 'walks']);

interface Manual {
  name: string;
  title: string;
  /** First paragraph. */
  summary: string;
  text: string;
}

/** Reads the manuals, the guides for beginners first. */
function readManuals(): Manual[] {
  const names = readdirSync(fileURLToPath(DIRECTORY), { recursive: true, encoding: 'utf8' })
    .flatMap((file) => /^((?:stripe\/)?[\w-]+)\.md$/.exec(file.replaceAll('\\', '/'))?.[1] ?? [])
    .filter((name) => !INTERNAL.has(name));
  const first = ['quick-start', 'api', 'receive-webhooks', 'mirroring', 'clients'].filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name)).toSorted()].map((name) => {
    const text = readFileSync(new URL(`${name}.md`, DIRECTORY), 'utf8');
    const [heading = name, summary = ''] = text.split('\n\n');
    return { name, title: heading.replace(/^# /, ''), summary: plain(summary), text };
  });
}

/** Returns a paragraph on one line, without links. */
function plain(paragraph: string): string {
  const text = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return /^[|`#-]/.test(text) ? '' : text;
}

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
