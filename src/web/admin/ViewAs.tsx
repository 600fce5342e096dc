import { viewAs } from '#contract/app/viewing.ts';
import { viewingTexts as text } from '#messages/records/viewing.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './Overview.module.css';

export function ViewAs() {
  const form = useForm(
    viewAs.input,
    async (wanted) => {
      await call(viewAs, wanted);
      // Loads everything again, because all that is on the screen is the operator's own.
      location.assign('/profile');
    },
    { fallback: text.failed },
  );

  return (
    <section aria-labelledby="view-as-title" className={styles.viewAs}>
      <h2 id="view-as-title">{text.title}</h2>
      <p>{text.why}</p>
      <Form form={form}>
        <TextField label={text.organization} name="organization" autoComplete="off" required />
        <Button type="submit" busy={form.submitting}>
          {text.submit}
        </Button>
      </Form>
    </section>
  );
}
