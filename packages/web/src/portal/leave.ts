import { dropPortalToken } from '../api/portal-token.ts';

/** Closes a portal that was opened by a link. */
export function leave(): void {
  dropPortalToken();
  window.location.assign('/portal');
}
