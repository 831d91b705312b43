/** Input of the operation that sets up a person's first program, without the token. */
export const NEW_PROGRAM = {
  program_name: 'My shop',
  currency: 'EUR',
  owner_name: 'Grace Hopper',
  owner_email: 'grace@example.com',
  owner_password: 'correct horse battery',
  example_data: false,
};
