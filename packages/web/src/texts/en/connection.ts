import { texts } from '../catalogue.ts';

export const t = texts('connection', {
  offline: 'You are offline. Connect to the internet and try again.',
  sessionEnded: 'Your session has ended. Sign in again.',
  unreachable: 'The service cannot be reached. Check your connection and try again.',
});
