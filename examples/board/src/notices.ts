// Messages to the user that stay until they are dismissed or acted upon.
import { createStore } from './store';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly reason: string;
  /** Does once more what failed. */
  readonly again: () => void;
}

export const notices = createStore<readonly Notice[]>([]);
let made = 0;

export const notify = (notice: Omit<Notice, 'id'>): void => {
  const same = ({ text }: { text: string }) => text === notice.text;
  notices.set([...notices.get().filter((one) => !same(one)), { ...notice, id: ++made }].slice(-3));
};

export const dismiss = (id: number): void => notices.set(notices.get().filter((one) => one.id !== id));
