import { useState } from 'react';
import * as z from 'zod/mini';
import { apiKeyForm, createApiKey } from '#contract/app/programs/api-keys.ts';
import { KEY_DAYS_DEFAULT, keyDays, type Scope, scopes } from '#domain/accounts/api-keys.ts';
import { apiKeyProblems } from '#messages/programs/api-keys.ts';
import { scopeMeaning, apiKeysPage as text } from '#messages/programs/api-keys-page.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, SelectField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { EventChoice } from '../EventChoice.tsx';
import shared from '../security.module.css';
import styles from './api-keys.module.css';

interface NewKeyDialogProps {
  events: readonly { eventId: string; title: string }[];
  onCreated: () => Promise<void>;
  onClose: () => void;
}

/** Asks what the key is for, then shows it, once. */
export function NewKeyDialog({ events, onCreated, onClose }: NewKeyDialogProps) {
  const [key, setKey] = useState<string | null>(null);
  return (
    <Dialog title={key === null ? text.createTitle : text.madeTitle} open onClose={onClose}>
      {key === null ? (
        <KeyForm
          events={events}
          onClose={onClose}
          onCreated={async (made) => {
            setKey(made);
            await onCreated();
          }}
        />
      ) : (
        <div className={styles.made}>
          <p role="status">{text.made}</p>
          <p className={shared.key}>
            <code>{key}</code>
            <CopyButton text={key} label={text.copy} />
          </p>
          <Button onClick={onClose}>{text.done}</Button>
        </div>
      )}
    </Dialog>
  );
}

const nameForm = z.pick(apiKeyForm, { name: true });

interface KeyFormProps extends Omit<NewKeyDialogProps, 'onCreated'> {
  onCreated: (key: string) => Promise<void>;
}

function KeyForm({ events, onCreated, onClose }: KeyFormProps) {
  const [chosenScopes, setScopes] = useState<readonly Scope[]>([]);
  const [onlyEventIds, setOnlyEventIds] = useState<readonly string[] | null>(null);
  const [days, setDays] = useState<(typeof keyDays)[number]>(KEY_DAYS_DEFAULT);
  const form = useForm(
    nameForm,
    async ({ name }) => {
      if (chosenScopes.length === 0) return toast.error(apiKeyProblems.scopesMissing);
      if (onlyEventIds?.length === 0) return toast.error(text.chooseEvents);
      const given = { scopes: [...chosenScopes], onlyEventIds: onlyEventIds && [...onlyEventIds], days };
      await onCreated((await call(createApiKey, { name, ...given })).key);
    },
    { fallback: text.failed, rejectedField: 'name' },
  );

  return (
    <Form form={form}>
      <TextField label={text.name} name="name" hint={text.nameHint} autoComplete="off" required />
      <fieldset className={styles.scopes}>
        <legend>{text.may}</legend>
        {scopes.map((scope) => (
          <CheckboxField
            key={scope}
            label={scopeMeaning[scope]}
            name={scope}
            checked={chosenScopes.includes(scope)}
            onChange={() => setScopes(scopes.filter((one) => chosenScopes.includes(one) !== (one === scope)))}
          />
        ))}
      </fieldset>
      <EventChoice events={events} chosen={onlyEventIds} onChange={setOnlyEventIds} />
      <SelectField
        label={text.duration}
        name="days"
        value={String(days)}
        options={keyDays.map((value) => ({ value: String(value), label: text.durations[value] }))}
        onChange={({ target }) => setDays(keyDays.find((one) => String(one) === target.value) ?? days)}
      />
      <div className={shared.choices}>
        <Button type="submit" busy={form.submitting}>
          {text.send}
        </Button>
        <Button kind="ghost" onClick={onClose}>
          {text.cancel}
        </Button>
      </div>
    </Form>
  );
}
