import type { Resource } from '@affiliate/core/browser';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useMay } from '../session/session.tsx';

/** The parameter of an address that opens a dialog of its page, e.g. `/affiliates?act=add`. */
export const ACT = 'act';

interface Act<Name extends string> {
  /** The act whose dialog is open. */
  current: Name | null;
  ask: (name: Name) => void;
  end: () => void;
}

/**
 * Returns which of a page’s acts somebody wants to do: by a button, or by an address that a search has opened.
 *
 * @param acts the records that each act writes. An act that the member may not do does not open
 */
export function useAct<Name extends string>(acts: Record<Name, Resource>): Act<Name> {
  const may = useMay();
  const [params, setParams] = useSearchParams();
  const [asked, ask] = useState<Name | null>(null);
  const named = params.get(ACT);
  const wanted = asked ?? (Object.keys(acts) as Name[]).find((name) => name === named) ?? null;
  const end = () => {
    ask(null);
    if (named === null) return;
    const rest = new URLSearchParams(params);
    rest.delete(ACT);
    // Replaces the address, so that the button back does not open the dialog again.
    setParams(rest, { replace: true });
  };
  return { current: wanted !== null && may(acts[wanted]) ? wanted : null, ask, end };
}
