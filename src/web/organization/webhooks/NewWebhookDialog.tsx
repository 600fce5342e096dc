import { useState } from 'react';
import * as z from 'zod/mini';
import { createWebhookEndpoint, webhookForm } from '#contract/app/programs/webhooks.ts';
import { webhooksPage as text } from '#messages/programs/webhooks.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import shared from '../security.module.css';
import { SecretShown } from './SecretShown.tsx';
import { useWebhookChoices, WebhookChoices } from './WebhookChoices.tsx';

interface NewWebhookDialogProps {
  events: readonly { eventId: string; title: string }[];
  onCreated: () => Promise<void>;
  onClose: () => void;
}

/** Asks where to call and for what, then shows the secret, once. */
export function NewWebhookDialog({ events, onCreated, onClose }: NewWebhookDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog title={secret === null ? text.createTitle : text.madeTitle} open onClose={onClose}>
      {secret === null ? (
        <WebhookForm
          events={events}
          onClose={onClose}
          onCreated={async (made) => {
            setSecret(made);
            await onCreated();
          }}
        />
      ) : (
        <SecretShown why={text.secret} secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}

const urlForm = z.pick(webhookForm, { url: true });

interface WebhookFormProps extends Omit<NewWebhookDialogProps, 'onCreated'> {
  onCreated: (secret: string) => Promise<void>;
}

function WebhookForm({ events, onCreated, onClose }: WebhookFormProps) {
  const { chosen, ...choices } = useWebhookChoices({ types: ['order.paid'], onlyEventIds: null });
  const form = useForm(
    urlForm,
    async ({ url }) => {
      const what = chosen();
      if (what) await onCreated((await call(createWebhookEndpoint, { url, ...what })).secret);
    },
    { fallback: text.failed, rejectedField: 'url' },
  );

  return (
    <Form form={form}>
      <TextField label={text.url} name="url" type="url" hint={text.urlHint} autoComplete="off" required />
      <WebhookChoices events={events} {...choices} />
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
