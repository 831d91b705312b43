import { RecordLink } from '../components/cells.tsx';
import { t } from '../texts/customers.ts';

interface NamedCustomer {
  id: string;
  email: string | null;
  name: string | null;
  psp_customer_id: string | null;
}

/** Returns the customer's name or, if it is unknown, the best other way to identify the customer. */
export function customerName({ email, name, psp_customer_id }: NamedCustomer): string {
  return name ?? email ?? psp_customer_id ?? t.unnamed;
}

/** A link to the customer's page, or a dash if there is no customer. */
export function CustomerLink({ customer }: { customer: NamedCustomer | null | undefined }) {
  if (!customer) return '–';
  const name = customerName(customer);
  return (
    <RecordLink to={`/customers/${customer.id}`} title={name} isCut>
      {name}
    </RecordLink>
  );
}
