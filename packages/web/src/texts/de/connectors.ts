import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/connectors.ts';

export const connectors: TranslationOf<typeof t> = {
  actions: 'Aktionen',
  codeHint: 'Geben Sie es im Assistenten zusammen mit der URL {origin}/mcp ein.',
  connectedInTheBrowser: 'Im Browser verbunden',
  connector: 'Konnektor',
  connectorOf: 'Konnektor „{name}“',
  connectorToken: 'Token des Konnektors',
  connectors: 'Konnektoren',
  create: 'Anlegen',
  createConnector: 'Konnektor anlegen',
  description:
    'Zugriff für KI-Assistenten über das Model Context Protocol. Assistenten zeigen ihre Änderungen zuerst in einer Vorschau. Fügen Sie dem Assistenten die URL {url} hinzu, dann bittet er im Browser um Ihre Zustimmung. Falls er das nicht kann, legen Sie einen Konnektor an und geben dessen Token im Assistenten ein.',
  edit: 'Ändern',
  editOf: '„{name}“ ändern',
  expirationHint: 'Leer lassen, wenn er nicht ablaufen soll.',
  expires: 'Läuft ab',
  lastUsed: 'Zuletzt benutzt',
  name: 'Name',
  nameHint: 'Der Assistent und wer ihn benutzt, z. B. Claude, Finanzteam.',
  never: 'Nie',
  noConnectorsYet: 'Noch keine Konnektoren',
  noneConnected: 'Verbundene Assistenten stehen hier. Sie können ihnen den Zugriff jederzeit entziehen.',
  paysUpTo: 'zahlt bis zu {amounts} pro Tag',
  permissions: 'Rechte',
  read: 'Lesen ({resources})',
  readWrite: 'Lesen; schreiben: {value}',
  revoke: 'Widerrufen',
  revokeConsequence: 'Der Assistent verliert sofort den Zugriff. Das lässt sich nicht rückgängig machen.',
  save: 'Speichern',
  state: 'Status',
};
