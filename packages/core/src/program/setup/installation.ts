import { z } from 'zod';
import type { PersonCtx } from '../../platform/call/context.ts';

/** The releases of this service. */
interface Releases {
  /** The running version. */
  running: string;
  /** Returns the newest version that the operator's file names, or null if that version is not newer than the running one. */
  newer(): Promise<string | null>;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    releases?: Releases;
  }
}

export const Installation = z.object({
  version: z.string().nullable(),
  newer_version: z.string().nullable(),
});
export type Installation = z.infer<typeof Installation>;

export async function getInstallation({ services: { releases } }: PersonCtx): Promise<Installation> {
  return { version: releases?.running ?? null, newer_version: (await releases?.newer()) ?? null };
}
