import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { verifyEmail } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { noTokenInUrl } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { isSignedIn } from '#web/shell/session-token.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './account-access.module.css';

const failed = 'Email verification failed. Please try again.';

type Answer = ReplyOf<typeof verifyEmail>;
type Verification =
  | { is: 'checking' }
  | ({ is: 'done' } & Answer)
  | { is: 'no-token' }
  | { is: 'failed'; msg: string | null };

export function VerifyEmailScreen() {
  const [query] = useSearchParams();
  const verification = useVerification(query.get('token'));
  const goesHome = useWayHome(verification);

  return (
    <Page title="Verify your email" width="narrow">
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status" className={styles.answer}>
        {(verification.is === 'checking' || goesHome) && <p>Checking your link…</p>}
        {verification.is === 'done' && !goesHome && <Banner kind="success" title={verification.msg} />}
        {verification.is === 'no-token' && <Banner kind="error" title={noTokenInUrl} />}
        {verification.is === 'failed' && (
          <Banner kind="error" title={failed}>
            {verification.msg}
          </Banner>
        )}
      </div>
      {verification.is === 'done' && !goesHome && (
        <ButtonLink to="/login" kind="gold">
          Go to login
        </ButtonLink>
      )}
      {(verification.is === 'failed' || verification.is === 'no-token') && (
        <>
          {(verification.is === 'no-token' || verification.msg === null) && (
            <p className={styles.other}>Log in and we'll send you a new link.</p>
          )}
          <ButtonLink to="/login">Log in</ButtonLink>
        </>
      )}
    </Page>
  );
}

/** People who are logged in go on where they asked for the link. */
function useWayHome(verification: Verification): boolean {
  const navigate = useNavigate();
  const goesHome = verification.is === 'done' && isSignedIn(new Date());
  useEffect(() => {
    if (verification.is !== 'done' || !goesHome) return;
    toast.success(verification.msg);
    void navigate('/profile', { replace: true });
  }, [verification, goesHome, navigate]);
  return goesHome;
}

function useVerification(token: string | null): Verification {
  const [verification, setVerification] = useState<Verification>({ is: 'checking' });
  useEffect(() => {
    if (!token) return setVerification({ is: 'no-token' });
    let isGone = false;
    answerFor(token).then(
      (answer) => isGone || setVerification({ is: 'done', ...answer }),
      (error: unknown) => isGone || setVerification({ is: 'failed', msg: messageFrom(error, '') || null }),
    );
    return () => {
      isGone = true;
    };
  }, [token]);
  return verification;
}

const answers = new Map<string, Promise<Answer>>();

/** A token works once, so send it once, no matter how often React mounts the screen. */
function answerFor(token: string): Promise<Answer> {
  const answer = answers.get(token) ?? call(verifyEmail, { token });
  answers.set(token, answer);
  return answer;
}

export { VerifyEmailScreen as Component };
