import { params, texts } from '../catalogue.ts';

export const t = texts('portal', {
  accept: 'Accept',
  chooseAnswer: 'Choose an answer',
  newTerms: 'Read and accept the terms of the program',
  noteFrom: params('{account} writes:'),
  termsOfProgram: 'Terms of the program',
});
