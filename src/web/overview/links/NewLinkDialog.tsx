import { useState } from 'react';
import { addTrackingLink, linkForm } from '#contract/app/records/links.ts';
import { linkAddress, linkSlugFrom } from '#domain/reports/tracking-links.ts';
import { linksPage as page } from '#messages/records/tracking-links.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './links.module.css';

const { form: text } = page;

interface NewLinkDialogProps {
  eventId: string;
  eventUrl: string;
  onAdded: () => Promise<void>;
  onClose: () => void;
}

/** The ending follows the name until it is typed. */
export function NewLinkDialog({ eventId, eventUrl, onAdded, onClose }: NewLinkDialogProps) {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string | null>(null);
  const slug = typed ?? linkSlugFrom(name);
  const form = useForm(
    linkForm,
    async (link) => {
      const { msg } = await call(addTrackingLink, { ...link, eventId });
      toast.success(msg);
      await onAdded();
      onClose();
    },
    { fallback: page.failed, rejectedField: 'slug' },
  );

  return (
    <Dialog title={text.title} open onClose={onClose}>
      <Form form={form}>
        <TextField
          label={text.name}
          name="name"
          hint={text.nameHint}
          value={name}
          autoComplete="off"
          required
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={text.slug}
          name="slug"
          hint={text.slugHint(linkAddress(eventUrl.replace(/^https?:\/\//, ''), slug))}
          value={slug}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className={styles.actions}>
          <Button type="submit" busy={form.submitting}>
            {text.send}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
