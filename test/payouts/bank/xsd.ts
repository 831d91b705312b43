import { readFile } from 'node:fs/promises';
import { validateXML } from 'xmllint-wasm';

/** Returns what xmllint finds wrong with a credit transfer of SEPA. */
export async function problemsOfPain001(contents: string): Promise<string[]> {
  const schema = await readFile(new URL('pain.001.001.09.xsd', import.meta.url), 'utf8');
  const { errors } = await validateXML({
    xml: [{ fileName: 'export.xml', contents }],
    schema: [{ fileName: 'pain.001.001.09.xsd', contents: schema }],
    initialMemoryPages: 512,
    maxMemoryPages: 2_048,
  });
  return errors.map(({ message }) => message);
}
