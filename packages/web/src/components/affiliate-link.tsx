import { t } from '../texts/components.ts';
import { CellNote, RecordLink, Who } from './cells.tsx';

interface Named {
  email: string;
  first_name: string | null;
  last_name: string | null;
}

/** Returns the full name, or the email address if no name is known. */
export function nameOf({ email, first_name, last_name }: Named): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email;
}

/** A link to an affiliate's page, with the initials before the name and the email address behind it. */
export function AffiliateLink({ id, affiliate }: { id: string; affiliate: Named | null | undefined }) {
  const name = affiliate ? nameOf(affiliate) : t.affiliate;
  return (
    <Who id={id} name={name}>
      <RecordLink to={`/affiliates/${id}`} strong>
        {name}
      </RecordLink>
      {affiliate && affiliate.email !== name && <CellNote>{affiliate.email}</CellNote>}
    </Who>
  );
}
