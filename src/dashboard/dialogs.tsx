// What keys open on every page: the list of keys, and the field that finds pages, worlds and actions.
import type { Context } from './context.ts';
import { PAGES } from './pages.ts';
import { Facts } from './parts.tsx';

const SEARCH_LINKS = [
  ['Search the requests for', '/dashboard/requests'],
  ['Search the tasks for', '/dashboard/data/tasks'],
  ['Search the worlds for', '/dashboard/worlds'],
] as const;
const SHORTCUTS = [
  ['/', 'the search of the page'],
  ['j, k', 'the next row, the one before'],
  ['Enter', 'open the row'],
  ['Ctrl+K', 'pages, worlds and actions by their words'],
  ['Esc', 'close what is open'],
] as const;

/** What the keys ? and Ctrl+K open; without scripts nothing does. */
export const Dialogs = ({ context }: { context: Context }) => (
  <>
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <Facts
        of={[...SHORTCUTS, ...PAGES.flatMap(({ nav }) => (nav ? [[`g ${nav.key}`, nav.label] as const] : []))].map(
          ([key, says]) => [<kbd>{key}</kbd>, says],
        )}
      />
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
    <dialog id="palette" aria-label="Go to or do">
      <input type="search" aria-label="Go to or do" placeholder="A page, a world, an action…" autocomplete="off" />
      <ul />
      {SEARCH_LINKS.map(([says, path]) => (
        <a hidden href={`${context.href(path)}?q=`} data-find="">
          {says}
        </a>
      ))}
    </dialog>
  </>
);
