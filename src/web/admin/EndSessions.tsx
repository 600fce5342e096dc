import { useState } from 'react';
import { endSessions } from '#contract/app/security.ts';
import { endSessionsTexts as text } from '#messages/security.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './Overview.module.css';

/** Logs a person out everywhere, after a dialog that names the account. */
export function EndSessions() {
  const [email, setEmail] = useState<string | null>(null);
  const form = useForm(endSessions.input, (person) => setEmail(person.email));

  return (
    <section aria-labelledby="end-sessions-title" className={styles.viewAs}>
      <h2 id="end-sessions-title">{text.title}</h2>
      <p>{text.why}</p>
      <Form form={form}>
        <TextField label={text.email} name="email" type="email" autoComplete="off" required />
        <Button type="submit">{text.submit}</Button>
      </Form>
      {email !== null && (
        <ConfirmDialog
          title={text.title}
          why={text.question(email)}
          confirm={text.submit}
          cancel={text.cancel}
          send={() => call(endSessions, { email })}
          onDone={() => {}}
          onClose={() => setEmail(null)}
        />
      )}
    </section>
  );
}
