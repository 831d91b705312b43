import { RecordLink } from '../components/cells.tsx';

interface NamedCustomer {
  id: string;
  email: string | null;
  name: string | null;
  psp_customer_id: string | null;
}

/** The name under which people know a customer. */
export function customerName({ id, email, name, psp_customer_id }: NamedCustomer): string {
  return name ?? email ?? psp_customer_id ?? id;
}

/** Link to a customer's page, or a dash for none. */
export function CustomerLink({ customer }: { customer: NamedCustomer | null | undefined }) {
  if (!customer) return '–';
  return <RecordLink to={`/customers/${customer.id}`}>{customerName(customer)}</RecordLink>;
}
