import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Looking } from '../components/record-table.tsx';

/** State of the history's entry in which the panel was opened. One step back closes the panel. */
const OPENED = { isLook: true };

/** Returns the record that the panel beside a list shows, from the address, so that Back, a reload and a bookmark keep it. */
export function useLook(): Looking & { close: () => void } {
  const [params, setParams] = useSearchParams();
  const state = useLocation().state as typeof OPENED | null;
  const navigate = useNavigate();
  const at = params.get('look');
  return {
    at,
    // The next record takes the place of the one before in the history.
    show: (look) =>
      setParams(
        { ...Object.fromEntries(params), look },
        at === null ? { state: OPENED } : { state, replace: true, preventScrollReset: true },
      ),
    close: () => {
      const { look: _, ...rest } = Object.fromEntries(params);
      if (state?.isLook) void navigate(-1);
      else setParams(rest, { replace: true });
    },
  };
}
