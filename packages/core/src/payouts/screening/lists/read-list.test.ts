import { expect, it } from 'vitest';
import { readList } from './read-list.ts';

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';

it('reads the list of OFAC', async () => {
  const file = `\uFEFF${HEAD}<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/20/2026</Publish_Date><Record_Count>2</Record_Count></publshInformation>
  <sdnEntry><uid>36</uid><lastName>AERO &amp; CARIBBEAN</lastName><sdnType>Entity</sdnType>
    <akaList><aka><uid>12</uid><category>strong</category><lastName>AERO-CARIBBEAN</lastName></aka></akaList></sdnEntry>
  <sdnEntry><uid>2674</uid><firstName>Abu</firstName><lastName>ABBAS</lastName><sdnType>Individual</sdnType>
    <akaList><aka><firstName>Muhammad</firstName><lastName>ZAYDAN</lastName></aka><aka><firstName>Abu</firstName><lastName>ABBAS</lastName></aka></akaList>
    <dateOfBirthList><dateOfBirthItem><uid>1</uid><dateOfBirth>10 Dec 1948</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry>
</sdnList>
`;
  expect(await readList(file)).toEqual({
    list: 'ofac',
    list_date: '2026-11-20',
    entries: [
      { entry: '36', names: ['AERO & CARIBBEAN', 'AERO-CARIBBEAN'], born: null },
      { entry: '2674', names: ['Abu ABBAS', 'Muhammad ZAYDAN'], born: '10 Dec 1948' },
    ],
  });
});

it('reads the list of the United Nations', async () => {
  const file = `${HEAD}<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="2026-11-19T07:00:00.000Z">
  <INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>AYMAN</FIRST_NAME><SECOND_NAME>AL-ZAWAHIRI</SECOND_NAME><THIRD_NAME/>
    <REFERENCE_NUMBER>QDi.006</REFERENCE_NUMBER><NAME_ORIGINAL_SCRIPT>أيمن الظواهري</NAME_ORIGINAL_SCRIPT>
    <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Ahmed Fuad Salim; Abu Fatima</ALIAS_NAME></INDIVIDUAL_ALIAS>
    <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
    <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1950</FROM_YEAR><TO_YEAR>1951</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
  </INDIVIDUAL></INDIVIDUALS>
  <ENTITIES><ENTITY><FIRST_NAME>AL RASHID TRUST</FIRST_NAME><REFERENCE_NUMBER>QDe.005</REFERENCE_NUMBER>
    <ENTITY_ALIAS><ALIAS_NAME>Al Amin Trust</ALIAS_NAME></ENTITY_ALIAS></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;
  expect(await readList(file)).toEqual({
    list: 'un',
    list_date: '2026-11-19',
    entries: [
      {
        entry: 'QDi.006',
        names: ['AYMAN AL-ZAWAHIRI', 'أيمن الظواهري', 'Ahmed Fuad Salim', 'Abu Fatima'],
        born: '1950; 1951',
      },
      { entry: 'QDe.005', names: ['AL RASHID TRUST', 'Al Amin Trust'], born: null },
    ],
  });
});

it('reads the UK Sanctions List', async () => {
  const file = `${HEAD}<Designations><DateGenerated>18/11/2026</DateGenerated><Designation><UniqueID>AFG0006</UniqueID>
    <Names><Name><Name1>MOHAMMAD</Name1><Name2>HASSAN</Name2><Name6>AKHUND</Name6><NameType>Primary Name</NameType></Name>
      <Name><Name6>AKHUND</Name6><NameType>Alias</NameType></Name></Names>
    <NonLatinNames><NonLatinName><NameNonLatinScript>محمد حسن آخوند</NameNonLatinScript></NonLatinName></NonLatinNames>
    <IndividualDetails><Individual><DOBs><DOB>dd/mm/1945</DOB><DOB>dd/mm/1946</DOB></DOBs></Individual></IndividualDetails>
  </Designation></Designations>`;
  expect(await readList(file)).toEqual({
    list: 'uk',
    list_date: '2026-11-18',
    entries: [
      { entry: 'AFG0006', names: ['MOHAMMAD HASSAN AKHUND', 'AKHUND', 'محمد حسن آخوند'], born: 'dd/mm/1945; dd/mm/1946' },
    ],
  });
});

it('reads the list of the European Union', async () => {
  const file = `${HEAD}<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-17T12:00:00.000+01:00" globalFileId="1">
    <sanctionEntity euReferenceNumber="EU.27.28" logicalId="13"><subjectType code="person"/>
      <nameAlias firstName="Saddam" lastName="Hussein Al-Tikriti" wholeName="Saddam Hussein Al-Tikriti" strong="true"/>
      <nameAlias wholeName="Abu Ali"/><nameAlias wholeName=""/>
      <birthdate birthdate="1937-04-28" year="1937"/></sanctionEntity></export>`;
  expect(await readList(file)).toEqual({
    list: 'eu',
    list_date: '2026-11-17',
    entries: [{ entry: 'EU.27.28', names: ['Saddam Hussein Al-Tikriti', 'Abu Ali'], born: '1937-04-28' }],
  });
});

it.each([
  ['another file', '<html><body/></html>', 'none of the lists'],
  ['a file that is cut off', '<Designations><DateGenerated>18/11/2026</DateGenerated><Designation>', 'cut off'],
  ['a file without a day', '<Designations><Designation/></Designations>', 'which day'],
  ['a file without entries', '<Designations><DateGenerated>18/11/2026</DateGenerated></Designations>', 'no entries'],
  [
    'an entry without a name',
    '<Designations><DateGenerated>18/11/2026</DateGenerated><Designation><UniqueID>A</UniqueID></Designation></Designations>',
    'no name',
  ],
  [
    'an entry that declares entities',
    '<Designations><DateGenerated>18/11/2026</DateGenerated><Designation><!DOCTYPE x><UniqueID>A</UniqueID></Designation></Designations>',
    'no valid XML',
  ],
])('refuses %s', async (_, file, message) => {
  await expect(readList(file)).rejects.toThrow(message);
});
