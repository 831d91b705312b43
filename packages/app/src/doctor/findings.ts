export const STATUSES = ['ok', 'warning', 'failed'] as const;

/** The result of one check, for a person who operates the service. */
export interface Finding {
  check: string;
  status: (typeof STATUSES)[number];
  /** The finding, in one sentence. */
  found: string;
  /** Advice for the operator, in one sentence. Null if nothing needs to be done. */
  advice: string | null;
}

export function ok(check: string, found: string): Finding {
  return { check, status: 'ok', found, advice: null };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, status: 'warning', found, advice };
}

export function failed(check: string, found: string, advice: string): Finding {
  return { check, status: 'failed', found, advice };
}

/** Returns the first line of an error's message. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0]!;
}
