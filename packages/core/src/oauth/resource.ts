import type { Services } from '../context.ts';

/** What access is asked for and granted to (RFC 8707): the door for assistants, by its address. */
export function resourceOf({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/mcp`;
}
