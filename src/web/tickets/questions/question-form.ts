/** The form of one question: its schema, and what it sends. */
import * as z from 'zod/mini';
import { type QuestionInput, questionForm } from '#contract/forms/guest-form.ts';

const typed = z.looseObject({
  /** One per line. */
  options: z.optional(z.string()),
  /** Checkboxes, by the ids of their ticket types. */
  types: z.optional(z.record(z.string(), z.boolean())),
});

export const questionDialogForm = z.pipe(
  z.pipe(
    typed,
    z.transform(({ options = '', types = {}, ...form }): unknown => ({
      ...form,
      options: options.split('\n'),
      ticketIds: Object.keys(types).filter((id) => types[id]),
    })),
  ),
  questionForm,
);

/** With `question` in place of the one that has its id, or added at the end. */
export function withQuestion(questions: readonly QuestionInput[], question: QuestionInput): QuestionInput[] {
  const isNew = !questions.some(({ questionId }) => questionId === question.questionId);
  if (question.questionId === undefined || isNew) return [...questions, question];
  return questions.map((one) => (one.questionId === question.questionId ? question : one));
}

/** One place up or down. */
export function moved<Item>(items: readonly Item[], from: number, by: 1 | -1): Item[] {
  const rest = items.toSpliced(from, 1);
  const item = items[from];
  return item === undefined ? rest : rest.toSpliced(from + by, 0, item);
}
