import { useState } from 'react';
import { type WebhookType, webhookTypes } from '#domain/accounts/webhooks.ts';
import { formText } from '#messages/forms.ts';
import { webhooksPage as text, typeNames } from '#messages/programs/webhooks.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { CheckboxField } from '#web/ui/form/fields.tsx';
import { EventChoice } from '../EventChoice.tsx';
import styles from './webhooks.module.css';

interface Choices {
  types: readonly WebhookType[];
  onlyEventIds: readonly string[] | null;
}

/** What a webhook receives, while it is chosen. */
export function useWebhookChoices(initial: Choices) {
  const [choices, setChoices] = useState(initial);
  return {
    choices,
    setChoices,
    /** Null after it showed what is missing. */
    chosen(): { types: WebhookType[]; onlyEventIds: string[] | null } | null {
      const { types, onlyEventIds } = choices;
      if (types.length === 0) toast.error(formText({ field: 'types', reason: 'webhook-types.missing' }));
      else if (onlyEventIds?.length === 0) toast.error(text.chooseEvents);
      else return { types: [...types], onlyEventIds: onlyEventIds && [...onlyEventIds] };
      return null;
    },
  };
}

interface WebhookChoicesProps extends Pick<ReturnType<typeof useWebhookChoices>, 'choices' | 'setChoices'> {
  events: readonly { eventId: string; title: string }[];
}

export function WebhookChoices({ events, choices, setChoices }: WebhookChoicesProps) {
  const { types } = choices;
  const toggle = (type: WebhookType) =>
    setChoices({ ...choices, types: webhookTypes.filter((one) => types.includes(one) !== (one === type)) });
  return (
    <>
      <fieldset className={styles.types}>
        <legend>{text.types}</legend>
        {webhookTypes.map((type) => (
          <CheckboxField
            key={type}
            label={typeNames[type]}
            name={type}
            checked={types.includes(type)}
            onChange={() => toggle(type)}
          />
        ))}
      </fieldset>
      <EventChoice
        events={events}
        chosen={choices.onlyEventIds}
        onChange={(onlyEventIds) => setChoices({ ...choices, onlyEventIds })}
      />
    </>
  );
}
