import { useCallback, useEffect, useState } from 'react';
import { editNameSearch } from '#contract/app/sales/find-guests.ts';
import { editGuestForm, eventGuestForm, type OwnGuestForm, type OwnQuestion } from '#contract/app/sales/guest-forms.ts';
import type { QuestionInput } from '#contract/forms/guest-form.ts';
import type { NameRule } from '#domain/sales/guest-form.ts';
import { questionSettings } from '#messages/sales/questions.ts';
import { call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';

/** What an event asks. Each change saves the whole form. */
export function useGuestForm(eventId: string) {
  const [form, setForm] = useState<OwnGuestForm | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setForm(await call(eventGuestForm, { eventId }));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, questionSettings.notLoaded));
    }
  }, [eventId]);
  useEffect(() => void reload(), [reload]);

  async function save(change: { asksNames?: NameRule; questions?: QuestionInput[] }): Promise<{ msg: string }> {
    if (!form) throw new Error('not loaded');
    const { version, asksNames, questions } = form;
    const saved = { asksNames, questions: questions.map(asInput), ...change };
    try {
      return await call(editGuestForm, { eventId, version, ...saved });
    } finally {
      // Also after another window saved first.
      await reload();
    }
  }
  async function saveNameSearch(isOn: boolean): Promise<{ msg: string }> {
    setForm((last) => last && { ...last, allowsNameSearch: isOn });
    try {
      return await call(editNameSearch, { eventId, isOn });
    } finally {
      await reload();
    }
  }

  return { form, failure, reload, save, saveNameSearch };
}

export const asInput = ({ ticketIds, ...question }: OwnQuestion): QuestionInput => ({
  ...question,
  ticketIds: ticketIds ?? [],
});
