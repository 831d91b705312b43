import { invalid, untranslated } from '@affiliate/core';
import { TOOLSETS, type Toolset } from './define-tool.ts';
import type { Selection } from './published-tool.ts';

/**
 * Parses the query of an assistant's address, e.g. `/mcp?toolsets=payouts,sales&read_only=true`. Unknown parameters are refused, because
 * a misspelled `read_only` would otherwise allow writes.
 *
 * @throws VALIDATION_ERROR
 */
export function parseSelection(query: URLSearchParams): Selection {
  const unknown = [...query.keys()].find((name) => name !== 'toolsets' && name !== 'read_only');
  if (unknown !== undefined)
    throw invalid(unknown, untranslated('Unknown parameter. Known parameters: toolsets, read_only.'), 'unrecognized_key');
  const readOnly = query.get('read_only') ?? 'false';
  if (readOnly !== 'true' && readOnly !== 'false')
    throw invalid('read_only', untranslated('Must be true or false.'), 'invalid_value');
  const toolsets = query.get('toolsets')?.split(',') ?? null;
  if (toolsets !== null && !toolsets.every(isToolset))
    throw invalid('toolsets', untranslated(`Must be some of: ${TOOLSETS.join(', ')}.`), 'invalid_value');
  return { readOnly: readOnly === 'true', toolsets };
}

function isToolset(name: string): name is Toolset {
  return (TOOLSETS as readonly string[]).includes(name);
}
