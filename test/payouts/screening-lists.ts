/** Files of authorities, as they publish them, with names that a test chooses. */

/** Makes the list of the United Nations, with the names of persons and their references. */
export function unList(names: readonly (string | readonly [name: string, entry: string])[], day = '2026-11-20'): string {
  const individuals = names.map((each, at) => {
    const [name, entry] = typeof each === 'string' ? [each, `QDi.${String(at + 1).padStart(3, '0')}`] : each;
    return `<INDIVIDUAL><DATAID>${at}</DATAID><FIRST_NAME>${name}</FIRST_NAME><REFERENCE_NUMBER>${entry}</REFERENCE_NUMBER>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1965</YEAR></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
    <CONSOLIDATED_LIST dateGenerated="${day}T08:00:00Z"><INDIVIDUALS>${individuals.join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`;
}
