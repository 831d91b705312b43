/** Reasons of rejected and returned payments (ISO 20022, ExternalStatusReason1Code and ExternalReturnReason1Code) in plain words. */
const REASONS = new Map([
  ['AC01', 'The account number is wrong'],
  ['AC03', 'The account number is wrong'],
  ['AC04', 'The account is closed'],
  ['AC06', 'The account is blocked'],
  ['AG01', 'The account does not take credit transfers'],
  ['AM04', 'There is not enough money on your account'],
  ['AM05', 'The bank takes it for a duplicate'],
  ['BE01', 'The name does not belong to the account'],
  ['BE04', 'The address of the receiver is missing'],
  ['CNOR', 'The bank of the receiver is not reached'],
  ['DUPL', 'The bank takes it for a duplicate'],
  ['FF01', 'The bank cannot read the file'],
  ['FOCR', 'It was called back'],
  ['MD07', 'The receiver has died'],
  ['MS02', 'The receiver has refused it'],
  ['MS03', 'The bank gives no reason'],
  ['RC01', 'The BIC is wrong'],
  ['RR03', 'The name or the address of the receiver is missing'],
  ['RR04', 'A law forbids it'],
]);

/** Returns the reason for a code, which stays beside the words so that the bank knows what is meant. */
export function reasonOf(code: string | undefined): string {
  if (code === undefined) return 'The bank gives no reason.';
  const words = REASONS.get(code);
  return words === undefined ? `The bank says ${code}.` : `${words} (${code}).`;
}
