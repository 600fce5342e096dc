import * as z from 'zod/mini';
import { editWebhookEndpoint, type WebhookEndpoint } from '#contract/app/programs/webhooks.ts';
import { webhooksPage as text, webhookLog } from '#messages/programs/webhooks.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import shared from '../security.module.css';
import { useWebhookChoices, WebhookChoices } from './WebhookChoices.tsx';

interface EditWebhookDialogProps {
  endpoint: WebhookEndpoint;
  events: readonly { eventId: string; title: string }[];
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export function EditWebhookDialog({ endpoint, events, onSaved, onClose }: EditWebhookDialogProps) {
  const { chosen, ...choices } = useWebhookChoices(endpoint);
  const form = useForm(
    z.object({}),
    async () => {
      const what = chosen();
      if (!what) return;
      toast.success((await call(editWebhookEndpoint, { endpointId: endpoint.endpointId, ...what })).msg);
      await onSaved();
      onClose();
    },
    { fallback: text.failed },
  );
  return (
    <Dialog title={webhookLog.editTitle} open onClose={onClose}>
      <Form form={form}>
        <WebhookChoices events={events} {...choices} />
        <div className={shared.choices}>
          <Button type="submit" busy={form.submitting}>
            {webhookLog.save}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
