import { stringify } from 'yaml';
import { collectionOf } from './collection.ts';
import { type ContractName, contractDocument } from './document.ts';

/** A contract as YAML and as JSON. */
export interface ContractText {
  yaml: string;
  json: string;
  /** The requests of the contract as a collection for Postman, Bruno and others, as JSON. */
  collection: string;
}

/**
 * Renders a contract. The YAML has no anchors, because some parsers do not support them.
 *
 * @param version version of the service, shown in the contract
 */
export function contractText(name: ContractName, serverUrl: string, version?: string): ContractText {
  const document = contractDocument({ name, serverUrl, version });
  const yaml = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  return { yaml, json: JSON.stringify(document), collection: JSON.stringify(collectionOf(document)) };
}
