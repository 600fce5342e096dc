import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { leaving as text } from '#messages/records/long-forms.ts';
import { Button } from '#web/ui/button/Button.tsx';
import styles from '#web/ui/dialog/ConfirmDanger.module.css';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { useWarnBeforeLeaving } from '#web/ui/page/use-warn-before-leaving.ts';

/** Asks when a link of the app would drop what was typed. Returns the open dialog, if any. */
export function useAskBeforeLeaving(isUnsaved: boolean): ReactNode {
  const navigate = useNavigate();
  const [target, setTarget] = useState<string | null>(null);
  useWarnBeforeLeaving(isUnsaved);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
      if (!(link instanceof HTMLAnchorElement) || opensElsewhere || link.target || link.origin !== location.origin)
        return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(link.pathname + link.search);
    };
    document.addEventListener('click', ask, { capture: true });
    return () => document.removeEventListener('click', ask, { capture: true });
  }, [isUnsaved]);

  if (target === null) return null;
  return (
    <Dialog title={text.title} open onClose={() => setTarget(null)}>
      <div className={styles.body}>
        <p>{text.why}</p>
        <div className={styles.choices}>
          <Button onClick={() => setTarget(null)}>{text.stay}</Button>
          <Button kind="danger" onClick={() => navigate(target)}>
            {text.leave}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
