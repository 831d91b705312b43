import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { type ContractName, contractDocument } from './document.ts';

/** A contract as YAML and as JSON. */
export interface ContractText {
  yaml: string;
  json: string;
  /** Strong entity tags of the two texts. */
  etags: { yaml: string; json: string };
}

/**
 * Renders a contract. The YAML has no anchors, because some parsers do not support them.
 *
 * @param version version of the service, shown in the contract
 */
export function contractText(name: ContractName, serverUrl: string, version?: string): ContractText {
  const document = contractDocument({ name, serverUrl, version });
  const yaml = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  const json = JSON.stringify(document);
  return { yaml, json, etags: { yaml: etag(yaml), json: etag(json) } };
}

function etag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}
