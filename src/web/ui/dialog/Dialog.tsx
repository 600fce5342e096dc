import { type ReactNode, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Dialog.module.css';
import { modalHost, useModal } from './use-modal.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean | undefined;
  children: ReactNode;
}

/** Closes by its button or Esc. Clicking outside does nothing, to protect half-filled forms. */
export function Dialog({ open, ...dialog }: DialogProps & { open: boolean }) {
  return open ? createPortal(<OpenDialog {...dialog} />, modalHost()) : null;
}

function OpenDialog({ title, onClose, wide, children }: DialogProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(panel, onClose);

  return (
    <div className={styles.scrim}>
      <dialog
        open
        ref={panel}
        className={classNames(styles.dialog, wide && styles.wide)}
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} className={styles.close} />
        </div>
        <div className={styles.body}>{children}</div>
      </dialog>
    </div>
  );
}
