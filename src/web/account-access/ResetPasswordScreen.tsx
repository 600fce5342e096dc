import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { resetPassword, resetPasswordForm } from '#contract/app/accounts.ts';
import { passwordHint, passwordReset } from '#messages/accounts.ts';
import { errorOccurred } from '#messages/pages.ts';
import { call } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { PasswordField } from '#web/ui/form/fields.tsx';
import { NewPasswordField } from '#web/ui/form/NewPasswordField.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './account-access.module.css';

export function ResetPasswordScreen() {
  const { token = '' } = useParams();
  const [isReset, setIsReset] = useState(false);
  const form = useForm(resetPasswordForm, async (passwords) => {
    try {
      toast.success(await call(resetPassword, { ...passwords, token }));
      setIsReset(true);
    } catch {
      // One message for every failure, so a guessed token learns nothing.
      toast.error(errorOccurred);
    }
  });

  return (
    <Page title="Reset password" width="narrow">
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status" className={styles.answer}>
        {isReset && <Banner kind="success" title={passwordReset} />}
      </div>
      {isReset ? (
        <ButtonLink to="/login" kind="gold">
          Go to login
        </ButtonLink>
      ) : (
        <>
          <Form form={form}>
            <NewPasswordField label="New Password" name="newPassword" hint={passwordHint} />
            <PasswordField
              label="Confirm New Password"
              name="confirmNewPassword"
              autoComplete="new-password"
              required
            />
            <Button type="submit" size="lg" busy={form.submitting}>
              {form.submitting ? 'Submitting...' : 'Reset Password'}
            </Button>
          </Form>
          <p className={styles.other}>
            Links work once, for 60 minutes. <Link to="/forgot-password">Send a new one</Link>
          </p>
        </>
      )}
    </Page>
  );
}

export { ResetPasswordScreen as Component };
