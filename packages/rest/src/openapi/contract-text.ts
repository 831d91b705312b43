import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { contractDocument } from './document.ts';

/** The contract as YAML and as JSON. */
export interface ContractText {
  yaml: string;
  json: string;
  /** Strong entity tags of the two texts. */
  etags: { yaml: string; json: string };
}

/**
 * Renders the contract. The YAML has no anchors, because some parsers do not support them.
 *
 * @param version version of the service, shown in the contract
 */
export function contractText(serverUrl: string, version?: string): ContractText {
  const document = contractDocument({ serverUrl, version });
  const yaml = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  const json = JSON.stringify(document);
  return { yaml, json, etags: { yaml: etag(yaml), json: etag(json) } };
}

function etag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}
