import { params, texts } from '../catalogue.ts';

export const t = texts('consent', {
  account: 'Account',
  accountNamed: 'Account: {name}',
  allow: 'Allow',
  connectAnAssistant: 'Connect an assistant',
  deny: 'Deny',
  invalidAssistantRequest: 'The assistant sent an invalid request. Nothing was connected.',
  invalidRequest: 'Invalid request',
  limits: 'It cannot do anything else. It cannot see API keys and other secrets.',
  nameNotVerified: 'The name is not verified. Allow access only if you just asked your assistant to connect.',
  onlyMembersConnect: 'Only members of an account can connect an assistant, and you are not a member of any account.',
  programOnThisComputer: params('a program on this computer ({redirectHost})'),
  requestsAccess: '{client} requests access to your affiliate program. You will be redirected to {host}.',
  revokeHint: 'You can change or end the access at any time under Settings, Connectors.',
  signedInAs: params('Signed in as {email}'),
  switchUser: 'Switch user',
  tryAgainInTheAssistant:
    'Try again in the assistant. If the problem persists, remove this service in the assistant and add it again, so that it registers again.',
  willBeAbleTo: 'Choose what the assistant may do',
});
