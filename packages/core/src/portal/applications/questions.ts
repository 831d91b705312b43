import { z } from 'zod';
import type { ApplicationQuestion } from '../../identity/accounts/account.entity.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { httpUrl, nameText, text } from '../../platform/wire/scalars.ts';
import { PORTAL_REASONS } from '../reasons.ts';

const MAX_QUESTIONS = 10;

export const Question = z
  .strictObject({
    label: nameText(200),
    kind: z.enum(['text', 'choice', 'url']),
    required: z.boolean(),
    choices: z
      .array(text(100))
      .max(20)
      .default([])
      .describe('Possible answers to a question of kind `choice`; empty for the other kinds.'),
  })
  .refine(({ kind, choices }) => (kind === 'choice') === choices.length > 1, {
    path: ['choices'],
    error: PORTAL_REASONS.choices_contradict_kind.error,
  }) satisfies z.ZodType<ApplicationQuestion>;

export const Questions = z
  .array(Question)
  .max(MAX_QUESTIONS)
  .refine((questions) => new Set(questions.map(({ label }) => label)).size === questions.length, PORTAL_REASONS.question_twice);

/** An answer, with the question as it was worded when the applicant answered. */
export const Answer = z.strictObject({ question: z.string().max(200), answer: z.string().max(2_000) });
export type Answer = z.infer<typeof Answer>;

/**
 * Checks the answers of an application. Returns one entry for each answered question, in the order of the questions.
 *
 * @throws VALIDATION_ERROR for `answers.<index of the question>`, or for `answers` if the questions have changed
 */
export function checkAnswers(questions: readonly ApplicationQuestion[], answers: readonly Answer[]): Answer[] {
  const given = new Map(answers.map(({ question, answer }) => [question, answer.trim()]));
  if (answers.some(({ question }) => !questions.some(({ label }) => label === question)))
    throw invalid('answers', PORTAL_REASONS.questions_changed, 'outdated');
  return questions.flatMap(({ label, kind, required, choices }, index) => {
    const answer = given.get(label) ?? '';
    const refuse = (message: Reason, code?: string) => invalid(`answers.${index}`, message, code);
    if (answer === '') {
      if (required) throw refuse(PORTAL_REASONS.answer_required, 'required');
      return [];
    }
    if (kind === 'choice' && !choices.includes(answer)) throw refuse(PORTAL_REASONS.answer_not_offered);
    if (kind === 'url' && !httpUrl().safeParse(answer).success) throw refuse(PORTAL_REASONS.web_address_form);
    return [{ question: label, answer }];
  });
}
