import { dropPortalToken } from '../api/portal-token.ts';

/** Closes a portal that a link has opened. */
export function leave(): void {
  dropPortalToken();
  window.location.assign('/portal');
}
