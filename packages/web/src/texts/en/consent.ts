import { params, texts } from '../catalogue.ts';

export const t = texts('consent', {
  account: 'Account',
  accountNamed: 'Account: {name}',
  allow: 'Allow',
  allowPromoCodeManagement: 'Allow promo code management',
  connectAnAssistant: 'Connect an assistant',
  connectingAnAssistantRequiresThe:
    'Connecting an assistant requires the admin role, which you do not have in any account. Ask an owner to change your role.',
  deny: 'Deny',
  invalidAssistantRequest: 'The assistant sent an invalid request. Nothing was connected.',
  invalidRequest: 'Invalid request',
  limits: 'It cannot change anything except what you allow below, and cannot access API keys or settings.',
  nameNotVerified: 'The name is not verified. Allow access only if you just asked your assistant to connect.',
  programOnThisComputer: params('a program on this computer ({redirectHost})'),
  promoCodesHint: 'The assistant can also list, import, create, and stop promo codes.',
  readAffiliatesWithTheirE:
    'Read affiliates with their email addresses, campaigns, links, referrals, customers, sales, and invitations',
  readProgram: 'Read commissions, payouts, exports, and payout runs',
  requestsAccess: '{client} requests access to your affiliate program. You will be redirected to {host}.',
  revokeHint: 'You can revoke access at any time under Settings, Connectors.',
  signedInAs: params('Signed in as {email}'),
  switchUser: 'Switch user',
  tryAgainInTheAssistant:
    'Try again in the assistant. If the problem persists, remove this service in the assistant and add it again, so that it registers again.',
  willBeAbleTo: 'The assistant will be able to',
});
