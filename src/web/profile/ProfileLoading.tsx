import { Button } from '#web/ui/button/Button.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import loadingImage from './loading.svg';
import styles from './ProfileScreen.module.css';

interface ProfileLoadingProps {
  isFailed: boolean;
  onRetry: () => Promise<void>;
}

export function ProfileLoading({ isFailed, onRetry }: ProfileLoadingProps) {
  if (isFailed)
    return (
      <div className={styles.loading}>
        <p>We couldn't load your profile.</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    );
  return (
    <div className={styles.loading}>
      <img src={loadingImage} alt="Loading" width="96" height="96" />
      <Skeleton />
    </div>
  );
}
