import type { MethodWords } from '../../ledger/payouts/payment-outlook.ts';

/** Returns the words about transfers to bank accounts, by the name of the accounts. */
export function wordsOfBank(name: MethodWords['name']): MethodWords {
  return {
    name,
    alone: { en: 'by bank transfer', de: 'per Überweisung' },
    to: { en: 'by bank transfer to {hint}', de: 'per Überweisung auf {hint}' },
  };
}

/**
 * Returns the words about payments through a service.
 *
 * @param name name of the addresses. Default: that of the service
 */
export function wordsOfService(service: string, name: MethodWords['name'] = { en: service, de: service }): MethodWords {
  return {
    name,
    alone: { en: `by ${service}`, de: `über ${service}` },
    to: { en: `by ${service} to {hint}`, de: `über ${service} an {hint}` },
  };
}
