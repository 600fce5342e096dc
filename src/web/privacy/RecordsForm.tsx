import { useId, useState } from 'react';
import { recordsLinkForm, requestRecordsLink } from '#contract/app/privacy.ts';
import { recordsForm } from '#messages/privacy.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './privacy.module.css';

/** For buyers, who have no account: access to the mailbox proves the address. */
export function RecordsForm() {
  const id = useId();
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm(
    recordsLinkForm,
    async (asked) => {
      setAnswer(null);
      setAnswer((await call(requestRecordsLink, asked)).msg);
    },
    { fallback: recordsForm.failed },
  );

  return (
    <section className={styles.request} aria-labelledby={id}>
      <h2 id={id}>{recordsForm.title}</h2>
      <p>{recordsForm.lead}</p>
      <Form form={form}>
        <TextField label="Email" name="email" type="email" autoComplete="email" inputMode="email" required />
        <Honeypot />
        <Button type="submit" busy={form.submitting}>
          {recordsForm.button}
        </Button>
      </Form>
      {answer && (
        <Banner kind="success" role="status" title={answer}>
          {recordsForm.sent}
        </Banner>
      )}
    </section>
  );
}
