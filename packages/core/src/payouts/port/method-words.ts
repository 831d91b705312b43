import type { MethodWords } from '../../ledger/payouts/payment-outlook.ts';

/** Returns the words about transfers to bank accounts, by the name of the accounts and the number of working days that transfers take at most. */
export function wordsOfBank(name: MethodWords['name'], days: number): MethodWords {
  return {
    name,
    alone: { en: 'by bank transfer', de: 'per Überweisung' },
    to: { en: 'by bank transfer to {hint}', de: 'per Überweisung auf {hint}' },
    arrives: withinDays(days),
  };
}

/**
 * Returns the words about payments through a service.
 *
 * @param arrives time after which the money is usually there
 * @param name name of the addresses. Default: that of the service
 */
export function wordsOfService(
  service: string,
  arrives: MethodWords['name'],
  name: MethodWords['name'] = { en: service, de: service },
): MethodWords {
  return {
    name,
    alone: { en: `by ${service}`, de: `über ${service}` },
    to: { en: `by ${service} to {hint}`, de: `über ${service} an {hint}` },
    arrives,
  };
}

/** Says that money arrives within a number of working days. */
export function withinDays(days: number): MethodWords['name'] {
  return { en: `within ${days} working days`, de: `innerhalb von ${days} Bankarbeitstagen` };
}
