// Goes to an address of this lane, for whoever has no link to press.
import { useNavigate } from '@tanstack/react-router';

export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  return (to) => {
    navigate({ to }).catch(() => undefined);
  };
}
