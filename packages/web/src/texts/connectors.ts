import { texts } from './catalogue.ts';
import { WORDS } from './words.ts';

export const t = texts({
  ...WORDS,
  add: { en: 'Add to your assistant', de: 'Zu Ihrem Assistenten hinzufügen' },
  addHint: {
    en: 'The assistant then asks for your consent in the browser. It gets no token that you would have to keep.',
    de: 'Der Assistent bittet dann im Browser um Ihre Zustimmung. Ein Token, das Sie aufbewahren müssten, braucht er nicht.',
  },
  addTo: { en: 'Add to {assistant}', de: 'Zu {assistant} hinzufügen' },
  codeHint: {
    en: 'Enter it in the assistant together with the URL {origin}/mcp.',
    de: 'Geben Sie es im Assistenten zusammen mit der URL {origin}/mcp ein.',
  },
  connectedInTheBrowser: { en: 'Connected in the browser', de: 'Im Browser verbunden' },
  connector: { en: 'Connector', de: 'Konnektor' },
  connectorOf: { en: 'Connector “{name}”', de: 'Konnektor „{name}“' },
  connectorToken: { en: 'Connector token', de: 'Token des Konnektors' },
  copiedFor: { en: 'Copied: {assistant}', de: 'Kopiert: {assistant}' },
  copyFor: { en: 'Copy: {assistant}', de: 'Kopieren: {assistant}' },
  createConnector: { en: 'Create connector', de: 'Konnektor anlegen' },
  description: {
    en: 'Access for AI assistants over the Model Context Protocol. Assistants preview their changes first. Add the URL {url} to the assistant, and it asks for your consent in the browser. If it cannot, create a connector and enter its token in the assistant.',
    de: 'Zugriff für KI-Assistenten über das Model Context Protocol. Assistenten zeigen ihre Änderungen zuerst in einer Vorschau. Fügen Sie dem Assistenten die URL {url} hinzu, dann bittet er im Browser um Ihre Zustimmung. Falls er das nicht kann, legen Sie einen Konnektor an und geben dessen Token im Assistenten ein.',
  },
  editOf: { en: 'Change “{name}”', de: '„{name}“ ändern' },
  expirationHint: { en: 'Leave empty for no expiration.', de: 'Leer lassen, wenn er nicht ablaufen soll.' },
  inFile: { en: '{assistant}, in {file}', de: '{assistant}, in {file}' },
  nameHint: {
    en: 'The assistant and its user, e.g. Claude, finance team.',
    de: 'Der Assistent und wer ihn benutzt, z. B. Claude, Finanzteam.',
  },
  noConnectorsYet: { en: 'No connectors yet', de: 'Noch keine Konnektoren' },
  noOwnAssistants: { en: 'You have not connected an assistant.', de: 'Sie haben keinen Assistenten verbunden.' },
  noneConnected: {
    en: 'Connected assistants are listed here. You can revoke their access at any time.',
    de: 'Verbundene Assistenten stehen hier. Sie können ihnen den Zugriff jederzeit entziehen.',
  },
  ownAssistants: { en: 'Your assistants', de: 'Ihre Assistenten' },
  ownAssistantsHint: {
    en: 'Assistants that you have connected to {account}.',
    de: 'Assistenten, die Sie mit {account} verbunden haben.',
  },
  paysUpTo: { en: 'pays up to {amounts} per day', de: 'zahlt bis zu {amounts} pro Tag' },
  read: { en: 'Read ({resources})', de: 'Lesen ({resources})' },
  readWrite: { en: 'Read; write {value}', de: 'Lesen; schreiben: {value}' },
  revokeConsequence: {
    en: 'The assistant loses access immediately. This cannot be undone.',
    de: 'Der Assistent verliert sofort den Zugriff. Das lässt sich nicht rückgängig machen.',
  },
});
