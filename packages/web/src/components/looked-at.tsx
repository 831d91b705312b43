import { type ComponentType, type ReactNode, createContext, useContext } from 'react';
import { useParams } from 'react-router';

/** Id of the record that the panel beside a list shows. Null outside such a panel, e.g. on the record's own page. */
export const LookedAt = createContext<string | null>(null);

/** The pages of the application by their path. The panel beside a list shows the page of a record. */
export const PagesByPath = createContext<ReadonlyMap<string, ComponentType>>(new Map());

/** Returns the id of the record to show: in the panel beside a list the one looked at, otherwise the one in the address. */
export function useRecordId(): string {
  const { id = '' } = useParams();
  return useContext(LookedAt) ?? id;
}

/** True in the panel beside a list, which is narrow and leaves the rarer parts to the record's page. */
export function useIsLook(): boolean {
  return useContext(LookedAt) !== null;
}

/** Parts of a record's page that the panel beside a list leaves out. */
export function OnPage({ children }: { children: ReactNode }) {
  return useIsLook() ? null : children;
}
