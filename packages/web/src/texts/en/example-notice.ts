import { texts } from '../catalogue.ts';

export const t = texts('example-notice', {
  allOfItsRecordsAre:
    'All of its records are removed immediately and permanently, and so are people who belong to no other account. Your own program is not affected.',
  invitation: 'Look around, and start your own program when you are ready. You can remove the example afterwards.',
  nothingIsYours: 'Look around as long as you like. Nothing here belongs to your program.',
  removeTheExample: 'Remove the example',
  startYourOwnProgram: 'Start your own program',
  thisIsTheExample: 'This is the example',
});
