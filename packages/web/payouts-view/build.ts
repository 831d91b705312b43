/**
 * Builds payouts-view.html, the table of payouts that assistants show (MCP Apps). packages/mcp serves it as a resource. The built file is
 * committed, so that a service that runs from its sources needs no build step. test/web/payouts-view.test.ts checks that it matches its sources.
 *
 *   node packages/web/payouts-view/build.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScript } from '../build/bundle-script.ts';

const TARGET = join(import.meta.dirname, '../../mcp/src/payouts-view.html');

/** Returns the view: one HTML file without references to others, because the host shows it in a frame without network. */
export async function buildPayoutsView(): Promise<string> {
  const [page, style] = ['page.html', 'style.css'].map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const script = await bundleScript(join(import.meta.dirname, 'view.ts'), { onlyUsed: true });
  // The texts are inserted by functions, because they contain dollar signs.
  return page!
    .replace('/* style */', () => style!.replaceAll(/\s*\n\s*/g, ' ').trim())
    .replace('/* script */', () => script.trim());
}

if (import.meta.main) writeFileSync(TARGET, await buildPayoutsView());
