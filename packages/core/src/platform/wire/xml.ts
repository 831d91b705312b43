import type { X2jOptions } from 'fast-xml-parser';

/** Element of an XML document: its text, or its elements, each of which may occur several times. Names of attributes begin with `@`. */
export type XmlNode = string | { [name: string]: XmlNode | XmlNode[] | undefined };

const OPTIONS: X2jOptions = { removeNSPrefix: true, ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false };

/** Returns a parser of XML. It returns null for documents that are cut off, and for those that declare entities. */
export async function xmlParser(): Promise<(text: string) => XmlNode | null> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  const parser = new XMLParser(OPTIONS);
  return (text) => {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true) return null;
    try {
      return parser.parse(text) as XmlNode;
    } catch {
      return null;
    }
  };
}

export function children(node: XmlNode | undefined, name: string): XmlNode[] {
  if (node === undefined || typeof node === 'string' || !Object.hasOwn(node, name)) return [];
  return [node[name] ?? []].flat();
}

export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return children(node, name)[0];
}

export function childText(node: XmlNode | undefined, name: string): string | undefined {
  const found = child(node, name);
  return typeof found === 'string' ? found.trim() : undefined;
}
