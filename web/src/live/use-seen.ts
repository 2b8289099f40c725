// Whether an element is on the screen: what nobody sees need not be live.
import { type RefObject, useEffect, useRef, useState } from 'react';

export function useSeen<Kind extends Element>(): [RefObject<Kind | null>, boolean] {
  const ref = useRef<Kind>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      setSeen(entries.some((entry) => entry.isIntersecting));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isSeen];
}
